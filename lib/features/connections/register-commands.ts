import { db } from '@/lib/db/database';
import { registerCommands } from '@/lib/integrations/discord/discord-commands';
import { log } from '@/lib/log';
import { defineJob, nothing } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';

export const registerCommandsJob = defineJob({ name: 'register-commands', payload: nothing, key: [] });

/** Has a job make Discord's list of our commands the newest one. */
export async function enqueueCommandRegistration(): Promise<void> {
  await enqueue(db(), registerCommandsJob, {});
}

/** Registers the bot's commands when Discord has others. Throws DiscordError, to be tried again. */
export async function registerBotCommands(manifest: { name: string }[]): Promise<void> {
  if (await registerCommands(manifest)) log.info('commands registered');
}
