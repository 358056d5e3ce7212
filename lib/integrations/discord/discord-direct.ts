import { z } from 'zod';
import type { TimeLeft } from '@/lib/time';
import { discordRequest } from './discord-request';

const channelSchema = z.object({ id: z.string() });

/**
 * Opens the bot's conversation with a person on behalf of an account, and returns the id of its channel: the same one each
 * time. `claimLeft` as for `sendMessage`. Throws DiscordError and CallTooLate.
 */
export async function openConversation(
  accountId: string,
  discordUserId: string,
  claimLeft: TimeLeft,
): Promise<string> {
  const json = { recipient_id: discordUserId };
  const call = { json, accountId, subject: discordUserId, claimLeft };
  const { body } = await discordRequest('POST', '/users/@me/channels', call);
  return channelSchema.parse(body).id;
}
