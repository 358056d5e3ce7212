import { z } from 'zod';
import { type MessageBody, sendMessage } from './discord-messages';
import { discordRequest } from './discord-request';

const channelSchema = z.object({ id: z.string() });

/**
 * Sends a person a direct message on behalf of an account. Throws DiscordError, with code 50007 if they accept none
 * from the bot.
 */
export async function sendDirectMessage(
  accountId: string,
  discordUserId: string,
  message: MessageBody,
  nonce: string,
): Promise<void> {
  const json = { recipient_id: discordUserId };
  const call = { json, accountId, subject: discordUserId };
  const { body } = await discordRequest('POST', '/users/@me/channels', call);
  await sendMessage(channelSchema.parse(body).id, { ...message, nonce }, { accountId });
}
