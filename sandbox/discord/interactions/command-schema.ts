import { ApplicationCommandType, ApplicationCommandOptionType as Option } from 'discord-api-types/v10';
import { z } from 'zod';

const MAX_TOTAL = 8000;
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const LOCALISED = z.record(z.string(), z.string()).nullish();

const invalidName = {
  message: 'Command name is invalid',
  params: { code: 'APPLICATION_COMMAND_INVALID_NAME' },
};
const chatName = z.string().refine((name) => NAME.test(name) && name === name.toLowerCase(), invalidName);
const description = z.string().min(1).max(100);

const choice = z.object({
  name: z.string().min(1).max(100),
  name_localizations: LOCALISED,
  value: z.union([z.string().max(100), z.number()]),
});

const valueOption = z
  .object({
    type: z.number().int().min(Option.String).max(Option.Attachment),
    name: chatName,
    name_localizations: LOCALISED,
    description,
    description_localizations: LOCALISED,
    required: z.boolean().nullish(),
    choices: z.array(choice).max(25).nullish(),
    autocomplete: z.boolean().nullish(),
    min_value: z.number().nullish(),
    max_value: z.number().nullish(),
    min_length: z.number().int().min(0).max(6000).nullish(),
    max_length: z.number().int().min(1).max(6000).nullish(),
    channel_types: z.array(z.number().int()).nullish(),
  })
  .refine((option) => !(option.autocomplete && option.choices?.length), {
    path: ['autocomplete'],
    message: 'Autocomplete and choices cannot be used together',
    params: { code: 'APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_WITH_CHOICES' },
  });

const optionList = <T extends z.ZodType<{ name: string; required?: boolean | null }>>(option: T) =>
  z
    .array(option)
    .max(25)
    .superRefine((options, context) => {
      const issue = (index: number, code: string, message: string) =>
        context.addIssue({ code: 'custom', path: [index], message, params: { code } });
      for (const [index, each] of options.entries()) {
        const before = options.slice(0, index);
        if (before.some(({ name }) => name === each.name)) {
          issue(
            index,
            'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
            'Option name already exists in these options',
          );
        }
        if (each.required && before.some(({ required }) => !required)) {
          issue(
            index,
            'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
            'Required options must be placed before non-required options',
          );
        }
      }
    });

const subcommand = z.object({
  type: z.literal(Option.Subcommand),
  name: chatName,
  name_localizations: LOCALISED,
  description,
  description_localizations: LOCALISED,
  required: z.boolean().nullish(),
  options: optionList(valueOption).nullish(),
});
const subcommandGroup = subcommand.extend({
  type: z.literal(Option.SubcommandGroup),
  options: optionList(subcommand).nullish(),
});
const options = optionList(z.union([subcommand, subcommandGroup, valueOption])).refine(
  (list) => new Set(list.map(({ type }) => type <= Option.SubcommandGroup)).size < 2,
  {
    message: 'Sub-command and sub-command group option types are mutually exclusive to all other types',
    params: { code: 'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID' },
  },
);

const shared = {
  name_localizations: LOCALISED,
  description_localizations: LOCALISED,
  default_member_permissions: z.string().regex(/^\d+$/).nullish(),
  contexts: z.array(z.number().int().min(0).max(2)).nullish(),
  integration_types: z.array(z.number().int().min(0).max(1)).nullish(),
  nsfw: z.boolean().nullish(),
  handler: z.number().int().nullish(),
};

const chatCommand = z
  .object({
    type: z.literal(ApplicationCommandType.ChatInput).nullish(),
    name: chatName,
    description,
    options: options.nullish(),
    ...shared,
  })
  .refine((command) => textLength(command) <= MAX_TOTAL, {
    message: `Command exceeds maximum size (${MAX_TOTAL})`,
    params: { code: 'APPLICATION_COMMAND_TOO_LARGE' },
  });

const menuCommand = z.object({
  type: z.union([z.literal(ApplicationCommandType.User), z.literal(ApplicationCommandType.Message)]),
  name: z.string().min(1).max(32),
  description: z.string().max(0).nullish(),
  ...shared,
});

/** A menu command states its type; everything else is checked as a chat command. */
export function commandSchemaFor(body: unknown) {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return type === ApplicationCommandType.User || type === ApplicationCommandType.Message
    ? menuCommand
    : chatCommand;
}

function textLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => {
    const counts = ['name', 'description', 'value'].includes(key) && typeof each === 'string';
    return sum + (counts ? each.length : textLength(each));
  }, 0);
}
