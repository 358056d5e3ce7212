import { registerCommands } from '@/lib/integrations/discord/discord-commands';
import { log } from '@/lib/log';
import { defineJob, noPayload } from '@/lib/queue/define-job';

export const registerCommandsJob = defineJob({ name: 'register-commands', payload: noPayload, key: [] });

/** Registers the bot's commands unless Discord already has exactly these. Throws DiscordError, to be retried. */
export async function registerBotCommands(manifest: { name: string }[]): Promise<void> {
  if (await registerCommands(manifest)) log.info('commands registered');
}
