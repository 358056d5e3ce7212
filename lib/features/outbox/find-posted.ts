import { Prisma, runStatement } from '@/lib/db/database';
import {
  listOwnMessages,
  type MessageBody,
  type PostedMessage,
} from '@/lib/integrations/discord/discord-messages';
import { MINUTE_MS } from '@/lib/time';

/** Discord recognises a repeated nonce only for "the past few minutes". */
export const NONCE_IS_KNOWN_MS = 2 * MINUTE_MS;

// Allows for the difference between Discord's clock and ours.
const CLOCKS_DIFFER_MS = MINUTE_MS;

/**
 * The id of the message that an attempt since `triedAt` has posted; null when none has. Discord does not return nonces,
 * so the message is recognised by its content, and must not be one that another row already holds. If the bot may not
 * read the history, nothing is found. Throws DiscordError.
 */
export async function findPosted(
  accountId: string,
  channelId: string,
  triedAt: Date,
  message: MessageBody,
): Promise<string | null> {
  const since = new Date(triedAt.getTime() - CLOCKS_DIFFER_MS);
  const posted = await listOwnMessages(accountId, channelId, since);
  const same = posted.filter((each) => saysTheSame(each, message)).map(({ id }) => id);
  if (same.length === 0) return null;
  const others = await runStatement<{ id: string }>(Prisma.sql`
    select discord_message_id as id from message where discord_message_id = any(${same}::text[])`);
  const known = new Set(others.map(({ id }) => id));
  return same.find((id) => !known.has(id)) ?? null;
}

/** Whether a message in Discord has the content of the one that was to be posted. */
export function saysTheSame(posted: PostedMessage, message: MessageBody): boolean {
  const isReplyTo = posted.message_reference?.message_id;
  // If the message replied to is gone, Discord posts the reply without a reference.
  const isElsewhere = isReplyTo !== undefined && isReplyTo !== message.message_reference?.message_id;
  return !isElsewhere && gist(posted) === gist(message as PostedMessage);
}

/** The parts of a message that Discord keeps as they were sent, apart from white space at the ends. */
function gist({ content, embeds }: Pick<PostedMessage, 'content' | 'embeds'>): string {
  const cards = (embeds ?? []).map(({ title, url, description, timestamp, footer, fields }) => [
    trimmed(title),
    url ?? '',
    trimmed(description),
    timestamp ? new Date(timestamp).getTime() : 0,
    trimmed(footer?.text),
    (fields ?? []).map(({ name, value }) => [trimmed(name), trimmed(value)]),
  ]);
  return JSON.stringify([trimmed(content), cards]);
}

const trimmed = (text: string | null | undefined) => (text ?? '').trim();
