import { type APIEmbed, type APIMessageTopLevelComponent, MessageFlags } from 'discord-api-types/v10';
import { z } from 'zod';
import { discordError, formError } from '../discord-error';
import { parseForm } from '../form';
import { layoutSchema, rowsSchema } from './component-schema';
import { embedsSchema, isEmptyEmbed } from './embed-schema';

const snowflake = z.string().regex(/^\d{15,21}$/, { message: 'not a snowflake' });
const idList = z.array(snowflake).max(100).nullish();

const allowedMentionsSchema = z
  .object({
    parse: z.array(z.enum(['roles', 'users', 'everyone'])).nullish(),
    users: idList,
    roles: idList,
    replied_user: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    for (const kind of ['users', 'roles'] as const) {
      if (!value.parse?.includes(kind) || !value[kind]?.length) continue;
      context.addIssue({
        code: 'custom',
        message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
        params: { code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' },
      });
    }
  });

const bodySchema = z.object({
  content: z.string().trim().max(2000).nullish(),
  embeds: embedsSchema.nullish(),
  components: z.array(z.unknown()).nullish(),
  allowed_mentions: allowedMentionsSchema.nullish(),
  flags: z.number().int().min(0).nullish(),
  tts: z.boolean().nullish(),
  nonce: z.union([z.string().max(25), z.number().int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  message_reference: z
    .object({
      message_id: snowflake,
      channel_id: snowflake.nullish(),
      guild_id: snowflake.nullish(),
      fail_if_not_exists: z.boolean().nullish(),
    })
    .nullish(),
});

export type AllowedMentions = z.output<typeof allowedMentionsSchema>;

/** A checked message body. Undefined means "not given"; an edit leaves such a field as it was. */
export interface MessageBody {
  content: string | undefined;
  embeds: APIEmbed[] | undefined;
  components: APIMessageTopLevelComponent[] | undefined;
  allowedMentions: AllowedMentions | undefined;
  flags: number;
  nonce: string | number | null;
  enforceNonce: boolean;
  replyTo: { messageId: string; required: boolean } | null;
}

/** Checks a message as Discord does. `isLayout` says that an edited message already has the V2 flag. */
export function parseMessage(body: unknown, { isLayout = false } = {}): MessageBody {
  const form = parseForm(bodySchema, body);
  const layout = isLayout || Boolean((form.flags ?? 0) & MessageFlags.IsComponentsV2);
  if (layout) refuseClassicParts(form);
  const { components } = parseForm(z.object({ components: (layout ? layoutSchema : rowsSchema).nullish() }), {
    components: form.components,
  });
  refuseSharedIds(components ?? []);
  return {
    content: form.content === null ? '' : form.content,
    embeds: given(form.embeds)
      ?.filter((embed) => !isEmptyEmbed(embed))
      .map(withoutNulls) as APIEmbed[] | undefined,
    components: given(components)?.map(withoutNulls) as APIMessageTopLevelComponent[] | undefined,
    allowedMentions: form.allowed_mentions ?? undefined,
    flags: form.flags ?? 0,
    nonce: form.nonce ?? null,
    enforceNonce: form.enforce_nonce ?? false,
    replyTo: form.message_reference
      ? {
          messageId: form.message_reference.message_id,
          required: form.message_reference.fail_if_not_exists ?? true,
        }
      : null,
  };
}

/** Refuses a message that would show nothing. */
export function requireSomething(message: Pick<MessageBody, 'content' | 'embeds' | 'components'>): void {
  if (!message.content && !message.embeds?.length && !message.components?.length)
    throw discordError('emptyMessage');
}

function given<T>(list: T[] | null | undefined): T[] | undefined {
  return list === null ? [] : list;
}

function withoutNulls<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_key, each) => (each === null ? undefined : each)));
}

function refuseClassicParts(form: { content?: string | null; embeds?: unknown[] | null }): void {
  for (const part of ['content', 'embeds'] as const) {
    if (!form[part]?.length) continue;
    throw formError(
      [part],
      'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
      `The '${part}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
    );
  }
}

function refuseSharedIds(components: unknown[]): void {
  const seen = new Set<string>();
  const visit = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      const at = [...path, Array.isArray(value) ? Number(key) : key];
      if (key === 'custom_id' && typeof each === 'string') {
        if (seen.has(each))
          throw formError(at, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
        seen.add(each);
      } else visit(each, at);
    }
  };
  visit(components, ['components']);
}
