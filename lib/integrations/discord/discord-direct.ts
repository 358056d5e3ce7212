import { z } from 'zod';
import type { TimeLeft } from '@/lib/time';
import { discordRequest, readReply } from './discord-request';

const channelSchema = z.object({ id: z.string() });

/**
 * Opens the bot's conversation with a person on behalf of an account. Returns the id of its channel, always the same.
 * `claimLeft` is as for `sendMessage`. Throws DiscordError and CallTooLate.
 */
export async function openConversation(
  accountId: string,
  discordUserId: string,
  claimLeft: TimeLeft,
): Promise<string> {
  const json = { recipient_id: discordUserId };
  const call = { json, accountId, subject: discordUserId, claimLeft };
  const { body } = await discordRequest('POST', '/users/@me/channels', call);
  return readReply(channelSchema, body).id;
}
