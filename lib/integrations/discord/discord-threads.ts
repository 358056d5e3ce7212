import { RESTJSONErrorCodes, type RESTPostAPIChannelMessagesThreadsJSONBody } from 'discord-api-types/v10';
import type { TimeLeft } from '@/lib/time';
import { DiscordError, discordRequest } from './discord-request';

/** The most characters in the name of a thread. */
export const MAX_THREAD_NAME = 100;

/**
 * Starts the thread of one of the bot's messages, unless it has one. Returns the thread's id, and how long the
 * channel's limit stays exhausted, in milliseconds. Throws DiscordError and CallTooLate.
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
    if (!(error instanceof DiscordError) || error.code !== RESTJSONErrorCodes.ThreadAlreadyCreatedForMessage)
      throw error;
    // A message has at most one thread, which has the message's id.
    return { threadId: messageId, exhaustedForMs: 0 };
  }
}

/** Brings a thread back from the archive. Throws DiscordError and CallTooLate. */
export async function wakeThread(threadId: string, accountId: string, claimLeft: TimeLeft): Promise<void> {
  await discordRequest('PATCH', `/channels/${threadId}`, { json: { archived: false }, accountId, claimLeft });
}
