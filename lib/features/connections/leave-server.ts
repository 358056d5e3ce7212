import { db, type Transaction } from '@/lib/db/database';
import { leaveGuild } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { enqueue } from '@/lib/queue/enqueue';
import { hiddenId } from '@/lib/queue/hidden-id';

/** Has a job take the bot out of a server, whose row the transaction deletes. */
export async function enqueueServerLeave(tx: Transaction, { guildId }: { guildId: string }): Promise<void> {
  await enqueue(tx, { name: 'leave-server', payload: { guildId }, key: leavingJobKey(guildId), queue: null });
}

export const leavingJobKey = (guildId: string) => `leave-server:${hiddenId(guildId)}`;

/** Takes the bot out of a disconnected server, unless somebody connected it again. Throws what is worth a retry. */
export async function leaveServer(guildId: string): Promise<void> {
  if (await db().discordServer.findUnique({ where: { guildId } })) return;
  await leaveGuild(guildId).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
  });
}
