import type { RESTPostAPIChannelMessagesThreadsJSONBody } from 'discord-api-types/v10';
import type { TimeLeft } from '@/lib/time';
import { DiscordError, discordRequest } from './discord-request';

/** How many characters the name of a thread has at most. */
export const THREAD_NAME_MAX = 100;

// There is one thread of a message at most, and it has the message's id.
const HAS_THREAD = 160004;

/**
 * Starts the thread of a message of the bot, unless it has one. Returns its id, and for how long the channel's limit stays
 * exhausted, in milliseconds. Throws DiscordError and CallTooLate.
 */
export async function startThread(
  { channelId, messageId }: { channelId: string; messageId: string },
  name: string,
  claimLeft: TimeLeft,
): Promise<{ threadId: string; exhaustedForMs: number }> {
  const path = `/channels/${channelId}/messages/${messageId}/threads`;
  const json: RESTPostAPIChannelMessagesThreadsJSONBody = { name };
  try {
    const { exhaustedForMs } = await discordRequest('POST', path, { json, isCard: true, claimLeft });
    return { threadId: messageId, exhaustedForMs };
  } catch (error) {
    if (!(error instanceof DiscordError) || error.code !== HAS_THREAD) throw error;
    return { threadId: messageId, exhaustedForMs: 0 };
  }
}

/** Brings a thread back from the archive. Throws DiscordError and CallTooLate. */
export async function wakeThread(threadId: string, accountId: string, claimLeft: TimeLeft): Promise<void> {
  await discordRequest('PATCH', `/channels/${threadId}`, { json: { archived: false }, accountId, claimLeft });
}
