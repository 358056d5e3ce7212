import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import { z } from 'zod';
import { selectSchemas } from './select-schema';
import { webUrl } from './web-url';

const MAX_ROW = 5;
const id = z.number().int().min(0).nullish();
export const customId = z.string().min(1).max(100);
const emoji = z.object({
  id: z.string().nullish(),
  name: z.string().nullish(),
  animated: z.boolean().nullish(),
});

const button = z
  .object({
    type: z.literal(ComponentType.Button),
    id,
    style: z.number().int().min(1).max(5),
    label: z.string().max(80).nullish(),
    emoji: emoji.nullish(),
    custom_id: customId.nullish(),
    url: webUrl(['http:', 'https:', 'discord:'], 512).nullish(),
    disabled: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    const issue = (path: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, params: { code } });
    const isLink = value.style === ButtonStyle.Link;
    if (value.custom_id && value.url) {
      issue(
        'custom_id',
        'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE',
        'A custom id and url cannot both be specified',
      );
    }
    if (isLink && !value.url) issue('url', 'BASE_TYPE_REQUIRED', 'A url is required');
    if (!isLink && !value.custom_id) issue('custom_id', 'BASE_TYPE_REQUIRED', 'A custom id is required');
    if (!value.label && !value.emoji) issue('label', 'BASE_TYPE_REQUIRED', 'A label or an emoji is required');
  });

const actionRow = z
  .object({
    type: z.literal(ComponentType.ActionRow),
    id,
    components: z
      .array(z.discriminatedUnion('type', [button, ...selectSchemas]))
      .min(1)
      .max(MAX_ROW),
  })
  .superRefine(({ components }, context) => {
    const selects = components.filter((each) => each.type !== ComponentType.Button).length;
    if (selects === 0 || components.length === 1) return;
    context.addIssue({
      code: 'custom',
      path: ['components'],
      message: 'A select must be alone in its row',
      params: { code: 'COMPONENT_LAYOUT_WIDTH_EXCEEDED' },
    });
  });

const textDisplay = z.object({
  type: z.literal(ComponentType.TextDisplay),
  id,
  content: z.string().min(1).max(4000),
});
const media = z.object({ url: webUrl(['http:', 'https:', 'attachment:']) });
const thumbnail = z.object({
  type: z.literal(ComponentType.Thumbnail),
  id,
  media,
  description: z.string().max(1024).nullish(),
  spoiler: z.boolean().nullish(),
});
const section = z.object({
  type: z.literal(ComponentType.Section),
  id,
  components: z.array(textDisplay).min(1).max(3),
  accessory: z.discriminatedUnion('type', [button, thumbnail]),
});
const gallery = z.object({
  type: z.literal(ComponentType.MediaGallery),
  id,
  items: z
    .array(z.object({ media, description: z.string().max(1024).nullish() }))
    .min(1)
    .max(10),
});
const separator = z.object({
  type: z.literal(ComponentType.Separator),
  id,
  divider: z.boolean().nullish(),
  spacing: z.number().int().min(1).max(2).nullish(),
});
const container = z.object({
  type: z.literal(ComponentType.Container),
  id,
  accent_color: z.number().int().min(0).max(0xffffff).nullish(),
  spoiler: z.boolean().nullish(),
  components: z
    .array(z.discriminatedUnion('type', [actionRow, textDisplay, section, gallery, separator]))
    .min(1),
});

/** Components of a message with the flag IS_COMPONENTS_V2. */
export const layoutSchema = z
  .array(z.discriminatedUnion('type', [actionRow, textDisplay, section, gallery, separator, container]))
  .max(40);

/** Components of an ordinary message: up to five rows. */
export const rowsSchema = z.array(z.discriminatedUnion('type', [actionRow])).max(5);
