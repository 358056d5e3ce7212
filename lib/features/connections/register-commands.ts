import { db } from '@/lib/db/database';
import { registerCommands } from '@/lib/integrations/discord/discord-commands';
import { log } from '@/lib/log';
import { defineJob, nothing } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';

export const registerCommandsJob = defineJob({ name: 'register-commands', payload: nothing, key: [] });

/** Enqueues the registration of our commands with Discord. */
export async function enqueueCommandRegistration(): Promise<void> {
  await enqueue(db(), registerCommandsJob, {});
}

/** Registers the bot's commands unless Discord already has exactly these. Throws DiscordError, to be retried. */
export async function registerBotCommands(manifest: { name: string }[]): Promise<void> {
  if (await registerCommands(manifest)) log.info('commands registered');
}
