import type { z } from 'zod';
import { db, type Transaction } from '@/lib/db/database';
import { leaveGuild } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { openId, sealedIdPayload, sealId } from '@/lib/queue/hidden-id';

const NAME = 'leave-server';

export const leaveServerJob = defineJob({
  name: NAME,
  payload: sealedIdPayload(NAME, 'guildId'),
  key: ['hidden'],
  queue: null,
});

/** Has a job take the bot out of a server, whose row the transaction deletes. */
export async function enqueueServerLeave(tx: Transaction, { guildId }: { guildId: string }): Promise<void> {
  await enqueue(tx, leaveServerJob, sealId(NAME, guildId));
}

/** Takes the bot out of a disconnected server, unless somebody connected it again. Throws what is worth a retry. */
export async function leaveServer(server: z.infer<typeof leaveServerJob.payload>): Promise<void> {
  const guildId = openId(NAME, server);
  if (await db().discordServer.findUnique({ where: { guildId } })) return;
  await leaveGuild(guildId).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
  });
}
