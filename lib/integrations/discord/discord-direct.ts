import { z } from 'zod';
import { type MessageBody, sendMessage } from './discord-messages';
import { discordRequest } from './discord-request';

const channelSchema = z.object({ id: z.string() });

/** Writes to a person on behalf of an account. Throws DiscordError, also when they take no messages from the bot (50007). */
export async function sendDirectMessage(
  accountId: string,
  discordUserId: string,
  message: MessageBody,
  nonce: string,
): Promise<void> {
  const json = { recipient_id: discordUserId };
  const call = { json, accountId, subject: discordUserId };
  const { body } = await discordRequest('POST', '/users/@me/channels', call);
  await sendMessage(channelSchema.parse(body).id, message, nonce, { accountId });
}
