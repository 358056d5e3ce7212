import type { RESTPostAPIChannelMessageJSONBody } from 'discord-api-types/v10';
import { z } from 'zod';
import { env } from '@/lib/env';
import { MINUTE_MS, type TimeLeft } from '@/lib/time';
import { getBotUserId } from './discord-guild';
import { type DiscordReply, discordRequest, readReply } from './discord-request';
import { byAge, idAt } from './snowflake';

const messageSchema = z.object({ id: z.string(), embeds: z.array(z.unknown()).optional().catch(undefined) });

export type MessageBody = RESTPostAPIChannelMessageJSONBody;

/** A message with a nonce of at most 25 characters, by which Discord posts it only once. */
export type NewMessage = MessageBody & { nonce: string };

/** Discord recognises a repeated nonce only for "the past few minutes". */
export const NONCE_IS_KNOWN_MS = 2 * MINUTE_MS;

/**
 * A reply as a message of its own, for where Discord takes no replies; it mentions whom the reply would notify. Any other
 * message is returned as it is.
 */
export function withoutReference<T extends MessageBody>(message: T): T {
  const { message_reference, allowed_mentions, content, ...rest } = message;
  if (!message_reference) return message;
  const { replied_user, ...allowed } = allowed_mentions ?? {};
  const notified = replied_user ? (allowed.users ?? []).map((id) => `<@${id}> `) : [];
  return { ...rest, content: `${notified.join('')}${content ?? ''}`, allowed_mentions: allowed } as T;
}

export interface SentMessage {
  messageId: string;
  /** How long the channel's rate limit stays exhausted, in milliseconds; 0 while calls remain. */
  exhaustedForMs: number;
  /** Whether the message has none of its embeds, as where the bot lacks Embed Links: Discord then refuses nothing. */
  lostEmbeds?: boolean;
}

/** Whether the message that Discord answers with has none of the embeds that it was given. */
export const losesEmbeds = (given: MessageBody, answer: unknown): boolean =>
  given.embeds !== undefined &&
  given.embeds.length > 0 &&
  messageSchema.safeParse(answer).data?.embeds?.length === 0;

/**
 * Posts a message. If Discord has seen the nonce within the past few minutes, it returns the message that it already
 * made, so a repeated call makes no second one. `isCard` gives the call a card's priority within the bot's global rate
 * limit; any other call is made on behalf of an account. `claimLeft` says for how long the caller still owns the
 * message. Throws DiscordError and CallTooLate.
 */
export async function sendMessage(
  channelId: string,
  message: NewMessage,
  by: { isCard: true } | { accountId: string },
  claimLeft?: TimeLeft,
): Promise<SentMessage> {
  const json = { ...message, enforce_nonce: true };
  const path = `/channels/${channelId}/messages`;
  const reply: DiscordReply = await discordRequest('POST', path, { json, ...by, claimLeft });
  return {
    messageId: readReply(messageSchema, reply.body).id,
    exhaustedForMs: reply.exhaustedForMs,
    lostEmbeds: losesEmbeds(message, reply.body),
  };
}

/** The link that opens a message in Discord. Discord serves messages from the same origin as the authorization page. */
export function messageLink(guildId: string, channelId: string, messageId: string): string {
  return `${new URL(env().DISCORD_AUTHORIZE_URL).origin}/channels/${guildId}/${channelId}/${messageId}`;
}

/**
 * Edits one of the bot's own messages; fields that the body omits stay as they are. `by` and `claimLeft` as for
 * `sendMessage`. Throws DiscordError and CallTooLate.
 */
export async function editMessage(
  { channelId, messageId }: { channelId: string; messageId: string },
  message: MessageBody,
  by: { isCard: true } | { accountId: string },
  claimLeft: TimeLeft,
): Promise<SentMessage> {
  const path = `/channels/${channelId}/messages/${messageId}`;
  const { body, exhaustedForMs } = await discordRequest('PATCH', path, { json: message, ...by, claimLeft });
  return { messageId, exhaustedForMs, lostEmbeds: losesEmbeds(message, body) };
}

export const postedSchema = z.object({
  id: z.string(),
  author: z.object({ id: z.string() }),
  content: z.string().catch(''),
  /** The message that it replies to. */
  message_reference: z.object({ message_id: z.string().optional() }).optional().catch(undefined),
  embeds: z
    .array(
      z.object({
        title: z.string().nullish(),
        url: z.string().nullish(),
        description: z.string().nullish(),
        timestamp: z.string().nullish(),
        footer: z.object({ text: z.string() }).nullish(),
        fields: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
      }),
    )
    .catch([]),
});

export type PostedMessage = z.infer<typeof postedSchema>;

const MESSAGES_PER_CALL = 100;
const MAX_CALLS = 10;

/**
 * The bot's own messages in a channel since a time, oldest first, as far as `mostCalls` of a hundred messages reach.
 * Empty if the bot may not read the history. Throws DiscordError.
 */
export async function listOwnMessages(
  accountId: string,
  channelId: string,
  since: Date,
  mostCalls = MAX_CALLS,
): Promise<PostedMessage[]> {
  const botUserId = await getBotUserId();
  const own: PostedMessage[] = [];
  let after = idAt(since);
  for (let call = 0; call < mostCalls; call += 1) {
    const path = `/channels/${channelId}/messages?limit=${MESSAGES_PER_CALL}&after=${after}`;
    const { body } = await discordRequest('GET', path, { accountId });
    // Discord lists the newest first, but does not promise it.
    const page = readReply(z.array(postedSchema), body).sort(byAge);
    own.push(...page.filter(({ author }) => author.id === botUserId));
    const last = page.at(-1);
    if (page.length < MESSAGES_PER_CALL || !last) break;
    after = last.id;
  }
  return own;
}
