import {
  RESTJSONErrorCodes as Code,
  type RESTPatchAPIInteractionOriginalResponseJSONBody,
} from 'discord-api-types/v10';
import { env } from '@/lib/env';
import { type DiscordError, discordRequest } from './discord-request';

export type InteractionMessage = RESTPatchAPIInteractionOriginalResponseJSONBody;

const EXPIRED_CODES: number[] = [Code.UnknownWebhook, Code.UnknownInteraction, Code.InvalidWebhookToken];
const UNKNOWN_CODES: number[] = [Code.UnknownMessage, Code.UnknownWebhook];

/** Fills in a deferred reply, or edits the message whose component was used. Throws DiscordError. */
export async function editOriginalResponse(token: string, message: InteractionMessage): Promise<void> {
  const path = `/webhooks/${env().DISCORD_APPLICATION_ID}/${token}/messages/@original`;
  await discordRequest('PATCH', path, { json: message, authorization: null });
}

/** Whether Discord no longer accepts a reply to an interaction, because fifteen minutes have passed. */
export function isExpiredInteraction(error: DiscordError): boolean {
  return EXPIRED_CODES.includes(error.code);
}

/** Whether Discord knows no reply to fill in: it was dismissed or has expired, or the acknowledgement is on its way. */
export function isUnknownReply(error: DiscordError): boolean {
  return UNKNOWN_CODES.includes(error.code);
}
