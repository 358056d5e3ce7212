import { db } from '@/lib/db/database';
import { MINUTE_MS } from '@/lib/time';
import { refreshServer } from '../connections/refresh-server';
import { endDeliveries } from './end-deliveries';

// Between two looks at a refused channel; more often would only repeat the same refusal.
const RECHECK_AFTER_MS = MINUTE_MS;

/**
 * Whether a channel that Discord refused may be used again. When it may not, its waiting cards have failed
 * with the known reason. Throws DiscordError while Discord cannot be asked.
 */
export async function recheckChannel(channelId: string, deliveryId: string): Promise<boolean> {
  const problem = await db().channelProblem.findUnique({ where: { channelId } });
  if (!problem) return true;
  const server = await db().discordServer.findFirst({ where: { rules: { some: { channelId } } } });
  if (server && Date.now() - problem.since.getTime() > RECHECK_AFTER_MS) {
    const channels = await refreshServer(server);
    const seen = channels.find(({ id }) => id === channelId);
    if (seen && !seen.accessProblem) return true;
    await db().channelProblem.updateMany({ where: { channelId }, data: { since: new Date() } });
  }
  await endDeliveries({ deliveryId, channelId }, 'failed', problem.reason);
  return false;
}
