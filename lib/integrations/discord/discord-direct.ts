import { z } from 'zod';
import { type MessageBody, sendMessage } from './discord-messages';
import { discordRequest } from './discord-request';

const channelSchema = z.object({ id: z.string() });

/** Writes to a person. Throws DiscordError, also when they take no messages from the bot (50007). */
export async function sendDirectMessage(
  discordUserId: string,
  message: MessageBody,
  nonce: string,
): Promise<void> {
  const json = { recipient_id: discordUserId };
  const { body } = await discordRequest('POST', '/users/@me/channels', { json });
  await sendMessage(channelSchema.parse(body).id, message, nonce);
}
