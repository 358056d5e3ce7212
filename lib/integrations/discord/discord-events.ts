import { ApplicationWebhookEventType } from 'discord-api-types/v10';

/** The events of the application that Discord is to send. */
export const DISCORD_EVENTS: string[] = [ApplicationWebhookEventType.ApplicationDeauthorized];
