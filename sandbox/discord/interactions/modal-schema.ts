import { ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { customId } from '../messages/component-schema';
import { selectSchemas } from '../messages/select-schema';

const MAX_INPUT = 4000;

const textInput = z.object({
  type: z.literal(ComponentType.TextInput),
  id: z.number().int().nullish(),
  custom_id: customId,
  style: z.union([z.literal(1), z.literal(2)]),
  /** Only in the older shape, inside an action row. */
  label: z.string().min(1).max(45).nullish(),
  min_length: z.number().int().min(0).max(MAX_INPUT).nullish(),
  max_length: z.number().int().min(1).max(MAX_INPUT).nullish(),
  required: z.boolean().nullish(),
  value: z.string().max(MAX_INPUT).nullish(),
  placeholder: z.string().max(100).nullish(),
});

const control = z
  .discriminatedUnion('type', [textInput, ...selectSchemas])
  .refine((each) => !('value' in each && (each.value?.length ?? 0) > (each.max_length ?? MAX_INPUT)), {
    path: ['value'],
    message: 'The text is longer than the field takes',
    params: { code: 'BASE_TYPE_MAX_LENGTH' },
  })
  .refine((each) => !('disabled' in each && each.disabled), {
    message: 'Components in a modal cannot be disabled',
    params: { code: 'COMPONENT_DISABLED_NOT_ALLOWED' },
  })
  .refine((each) => !('min_values' in each && each.min_values === 0 && each.required !== false), {
    path: ['min_values'],
    message: 'A required menu needs at least one value',
    params: { code: 'BASE_TYPE_CHOICES' },
  });

const label = z.object({
  type: z.literal(ComponentType.Label),
  id: z.number().int().nullish(),
  label: z.string().min(1).max(45),
  description: z.string().max(100).nullish(),
  component: control,
});

const row = z.object({
  type: z.literal(ComponentType.ActionRow),
  id: z.number().int().nullish(),
  components: z.array(textInput.extend({ label: z.string().min(1).max(45) })).length(1),
});

const text = z.object({
  type: z.literal(ComponentType.TextDisplay),
  id: z.number().int().nullish(),
  content: z.string().min(1).max(4000),
});

export const modalSchema = z
  .object({
    custom_id: customId,
    title: z.string().min(1).max(45),
    components: z
      .array(z.discriminatedUnion('type', [label, row, text]))
      .min(1)
      .max(5),
  })
  .superRefine(({ components }, context) => {
    const ids = components.flatMap(controlsOf).map((each) => each.custom_id);
    if (new Set(ids).size === ids.length) return;
    context.addIssue({
      code: 'custom',
      path: ['components'],
      message: 'Component custom id cannot be duplicated',
      params: { code: 'COMPONENT_CUSTOM_ID_DUPLICATED' },
    });
  });

export type Modal = z.output<typeof modalSchema>;
export type ModalControl = z.output<typeof control>;

/** The fields in one top-level component of a modal. */
export function controlsOf(part: Modal['components'][number]): ModalControl[] {
  if (part.type === ComponentType.Label) return [part.component];
  return part.type === ComponentType.ActionRow ? part.components : [];
}
