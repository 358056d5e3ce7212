import type { RESTPostAPIChannelMessageJSONBody } from 'discord-api-types/v10';
import { z } from 'zod';
import { env } from '@/lib/env';
import { type DiscordReply, discordRequest } from './discord-request';

const messageSchema = z.object({ id: z.string() });

export type MessageBody = RESTPostAPIChannelMessageJSONBody;

export interface SentMessage {
  messageId: string;
  /** How long the channel's rate limit is used up, in milliseconds; 0 while calls remain. */
  exhaustedForMs: number;
}

/**
 * Posts a message. Discord answers a nonce that it saw within the past few minutes with the message that it
 * already made, so a repeated call makes no second one. Throws DiscordError.
 */
export async function sendMessage(
  channelId: string,
  message: MessageBody,
  nonce: string,
): Promise<SentMessage> {
  const json = { ...message, nonce, enforce_nonce: true };
  const reply: DiscordReply = await discordRequest('POST', `/channels/${channelId}/messages`, { json });
  return { messageId: messageSchema.parse(reply.body).id, exhaustedForMs: reply.exhaustedForMs };
}

/** Where people open a message: Discord's pages stand where people authorize the bot. */
export function messageLink(guildId: string, channelId: string, messageId: string): string {
  return `${new URL(env().DISCORD_AUTHORIZE_URL).origin}/channels/${guildId}/${channelId}/${messageId}`;
}

/** Changes one of the bot's own messages; what the body leaves out stays. Throws DiscordError. */
export async function editMessage(channelId: string, messageId: string, message: MessageBody): Promise<void> {
  await discordRequest('PATCH', `/channels/${channelId}/messages/${messageId}`, { json: message });
}

/** The channel of direct messages with a person. Throws DiscordError. */
export async function openDirectMessages(discordUserId: string): Promise<string> {
  const { body } = await discordRequest('POST', '/users/@me/channels', {
    json: { recipient_id: discordUserId },
  });
  return messageSchema.parse(body).id;
}
