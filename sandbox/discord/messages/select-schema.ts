import { ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';

const MAX_OPTIONS = 25;

const common = {
  id: z.number().int().min(0).nullish(),
  custom_id: z.string().min(1).max(100),
  placeholder: z.string().max(150).nullish(),
  min_values: z.number().int().min(0).max(MAX_OPTIONS).nullish(),
  max_values: z.number().int().min(1).max(MAX_OPTIONS).nullish(),
  disabled: z.boolean().nullish(),
  /** Only meaningful in a modal. */
  required: z.boolean().nullish(),
};

const option = z.object({
  label: z.string().min(1).max(100),
  value: z.string().min(1).max(100),
  description: z.string().min(1).max(100).nullish(),
  emoji: z.object({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  default: z.boolean().nullish(),
});

const stringSelect = z
  .object({
    type: z.literal(ComponentType.StringSelect),
    ...common,
    options: z.array(option).min(1).max(MAX_OPTIONS),
  })
  .superRefine(({ options, min_values, max_values }, context) => {
    const issue = (path: (string | number)[], code: string, message: string) =>
      context.addIssue({ code: 'custom', path, message, params: { code } });
    for (const [index, each] of options.entries()) {
      if (options.findIndex(({ value }) => value === each.value) < index) {
        issue(
          ['options', index, 'value'],
          'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
          'The specified option value is already used',
        );
      }
    }
    if ((min_values ?? 1) > options.length || (max_values ?? 1) > options.length) {
      issue(['options'], 'BASE_TYPE_BAD_LENGTH', 'There are fewer options than values that may be chosen');
    }
    if (options.filter((each) => each.default).length > (max_values ?? 1)) {
      issue(
        ['options'],
        'SELECT_COMPONENT_TOO_MANY_DEFAULTS',
        'More defaults than values that may be chosen',
      );
    }
  });

type DefaultKind = 'user' | 'role' | 'channel';

function menuOf<T extends ComponentType>(type: T, ...kinds: [DefaultKind, ...DefaultKind[]]) {
  const defaults = z.array(z.object({ id: z.string(), type: z.enum(kinds) })).max(MAX_OPTIONS);
  return z
    .object({
      type: z.literal(type),
      ...common,
      default_values: defaults.nullish(),
      channel_types: z.array(z.number().int()).nullish(),
    })
    .refine(
      ({ default_values: given, min_values, max_values }) =>
        !given?.length || (given.length >= (min_values ?? 1) && given.length <= (max_values ?? 1)),
      {
        path: ['default_values'],
        message: 'The number of default values must be in the range defined by min_values and max_values',
        params: { code: 'SELECT_COMPONENT_INVALID_DEFAULT_VALUES' },
      },
    );
}

/** The five kinds of select menu, in messages and in modals. */
export const selectSchemas = [
  stringSelect,
  menuOf(ComponentType.UserSelect, 'user'),
  menuOf(ComponentType.RoleSelect, 'role'),
  menuOf(ComponentType.MentionableSelect, 'user', 'role'),
  menuOf(ComponentType.ChannelSelect, 'channel'),
] as const;
