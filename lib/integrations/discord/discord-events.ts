import { ApplicationWebhookEventType } from 'discord-api-types/v10';

/** The events about the application that Discord should send. */
export const DISCORD_EVENTS: string[] = [ApplicationWebhookEventType.ApplicationDeauthorized];
