import { z } from 'zod';
import { webUrl } from './web-url';

const MAX_EMBEDS = 10;
const MAX_TOTAL = 6000;

const text = (maximum: number) => z.string().trim().max(maximum);
const requiredText = (maximum: number) => z.string().trim().min(1).max(maximum);
const media = z.object({ url: webUrl(['http:', 'https:', 'attachment:']) });

const embedSchema = z.object({
  title: text(256).nullish(),
  type: z.string().nullish(),
  description: text(4096).nullish(),
  url: webUrl(['http:', 'https:']).nullish(),
  timestamp: z
    .string()
    .refine((value) => !Number.isNaN(Date.parse(value)), {
      message: 'Could not parse the value. Should be ISO8601.',
      params: { code: 'DATE_TIME_TYPE_PARSE' },
    })
    .transform((value) => new Date(value).toISOString())
    .nullish(),
  color: z.number().int().min(0).max(0xffffff).nullish(),
  footer: z
    .object({ text: requiredText(2048), icon_url: webUrl(['http:', 'https:', 'attachment:']).nullish() })
    .nullish(),
  image: media.nullish(),
  thumbnail: media.nullish(),
  author: z
    .object({
      name: requiredText(256),
      url: webUrl(['http:', 'https:']).nullish(),
      icon_url: webUrl(['http:', 'https:', 'attachment:']).nullish(),
    })
    .nullish(),
  fields: z
    .array(z.object({ name: requiredText(256), value: requiredText(1024), inline: z.boolean().nullish() }))
    .max(25)
    .nullish(),
});

type Embed = z.output<typeof embedSchema>;

/** The embeds of one message, with Discord's limits for each part and for all their text together. */
export const embedsSchema = z
  .array(embedSchema)
  .max(MAX_EMBEDS)
  .superRefine((embeds, context) => {
    if (embeds.reduce((sum, embed) => sum + lengthOf(embed), 0) <= MAX_TOTAL) return;
    context.addIssue({
      code: 'custom',
      message: `Embed size exceeds maximum size of ${MAX_TOTAL}`,
      params: { code: 'MAX_EMBED_SIZE_EXCEEDED' },
    });
  });

export function isEmptyEmbed(embed: Embed): boolean {
  const { type: _type, color: _color, ...shown } = embed;
  return !Object.values(shown).some((value) => (Array.isArray(value) ? value.length : value));
}

function lengthOf(embed: Embed): number {
  const fields = (embed.fields ?? []).flatMap((field) => [field.name, field.value]);
  const parts = [embed.title, embed.description, embed.footer?.text, embed.author?.name, ...fields];
  return parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
}
