import { z } from 'zod';
import { COLORS, type Property } from '../property';

const MAX_REFERENCES = 100;
const id = z.string().min(1);
const isoDate = z
  .string()
  .refine(
    (text) =>
      /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.test(text) &&
      !Number.isNaN(Date.parse(text)),
    'should be a valid ISO 8601 date string',
  );

const timeZone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}, 'should be an IANA time zone');

const dateSchema = z
  .strictObject({ start: isoDate, end: isoDate.nullish(), time_zone: timeZone.nullish() })
  .refine(
    (date) => !date.end || Date.parse(date.end) >= Date.parse(date.start),
    'end should not be before start',
  )
  .refine(
    (date) => !date.time_zone || !/(Z|[+-]\d{2}:\d{2})$/.test(date.start.slice(10)),
    'start should have no offset when time_zone is given',
  );

const annotations = z.strictObject({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strikethrough: z.boolean().optional(),
  underline: z.boolean().optional(),
  code: z.boolean().optional(),
  color: z.enum([...COLORS, ...COLORS.map((color) => `${color}_background` as const)]).optional(),
});

const link = z
  .strictObject({ url: z.string().min(1).max(2000), type: z.literal('url').optional() })
  .nullish();
const mention = z.union([
  z.strictObject({
    type: z.literal('user').optional(),
    user: z.strictObject({ id, object: z.literal('user').optional() }),
  }),
  z.strictObject({ type: z.literal('page').optional(), page: z.strictObject({ id }) }),
  z.strictObject({ type: z.literal('database').optional(), database: z.strictObject({ id }) }),
  z.strictObject({ type: z.literal('date').optional(), date: dateSchema }),
]);

const richTextItem = z.union([
  z.strictObject({
    type: z.literal('text').optional(),
    annotations: annotations.optional(),
    text: z.strictObject({ content: z.string().max(2000), link }),
  }),
  z.strictObject({ type: z.literal('mention').optional(), annotations: annotations.optional(), mention }),
  z.strictObject({
    type: z.literal('equation').optional(),
    annotations: annotations.optional(),
    equation: z.strictObject({ expression: z.string().max(1000) }),
  }),
]);
export type RichTextRequest = z.infer<typeof richTextItem>;
export const richTextSchema = z.array(richTextItem).max(100);

const color = z.enum(COLORS).optional();
const description = z.string().nullish();
const optionSchema = z
  .strictObject({ id: id.optional(), name: z.string().min(1).max(100).optional(), color, description })
  .refine((option) => option.id !== undefined || option.name !== undefined, 'id or name should be defined')
  .refine((option) => !option.name?.includes(','), 'name should not contain a comma');
export type OptionRequest = z.infer<typeof optionSchema>;

const person = z.strictObject({ id, object: z.enum(['user', 'group']).optional() });
const fileSchema = z.union([
  z.strictObject({
    name: z.string().max(100),
    type: z.literal('external').optional(),
    external: z.strictObject({ url: z.string().min(1).max(2000) }),
  }),
  z.strictObject({
    name: z.string().max(100),
    type: z.literal('file').optional(),
    file: z.strictObject({ url: z.string().min(1), expiry_time: z.string().optional() }),
  }),
]);

/** The one member that a property value of each writable type carries, with Notion's size limits. */
export const CONTENT_SCHEMAS = {
  title: richTextSchema,
  rich_text: richTextSchema,
  number: z.number().nullable(),
  select: optionSchema.nullable(),
  status: optionSchema.nullable(),
  multi_select: z.array(optionSchema).max(MAX_REFERENCES),
  people: z.array(person).max(MAX_REFERENCES),
  relation: z.array(z.strictObject({ id })).max(MAX_REFERENCES),
  date: dateSchema.nullable(),
  checkbox: z.boolean(),
  url: z.string().max(2000).nullable(),
  email: z.string().max(200).nullable(),
  phone_number: z.string().max(200).nullable(),
  files: z.array(fileSchema).max(100),
} satisfies Partial<Record<Property['type'], z.ZodType>>;

export type WritableType = keyof typeof CONTENT_SCHEMAS;

export function isWritableType(type: string): type is WritableType {
  return type in CONTENT_SCHEMAS;
}
