import { db } from '@/lib/db/database';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';
import { refreshServer } from '../connections/refresh-server';
import type { ChannelTurn } from './channel-turns';
import { endDeliveries } from './end-deliveries';
import { enqueueChannelWarning } from './warn-channel';

// Between two looks at a refused channel; more often would only repeat the same refusal.
const RECHECK_AFTER_MS = MINUTE_MS;

/**
 * Whether a channel that Discord refused may be used again. When it may not, its waiting cards have failed
 * with the known reason. Throws DiscordError while Discord cannot be asked.
 */
export async function recheckChannel(turn: ChannelTurn): Promise<boolean> {
  const { channelId } = turn;
  const problem = await db().channelProblem.findUnique({ where: { channelId } });
  if (!problem) return true;
  const server = await db().discordServer.findFirst({ where: { rules: { some: { channelId } } } });
  if (server && Date.now() - problem.since.getTime() > RECHECK_AFTER_MS) {
    await refreshServer(server);
    const { count } = await db().channelProblem.updateMany({
      where: { channelId },
      data: { since: new Date() },
    });
    if (count === 0) return true;
  }
  await endDeliveries({ channelId, during: turn }, 'failed', problem.reason);
  return false;
}

/**
 * Stops a channel that Discord refuses, with everything that waits for it: Discord bans an address that keeps
 * asking for what it refused. `deliveryId` is the card that was tried in this turn.
 */
export async function stopChannel(turn: ChannelTurn, deliveryId: string, reason: string): Promise<void> {
  const { channelId, claimedAt: answeredSince } = turn;
  await db().channelProblem.upsert({
    where: { channelId },
    create: { channelId, reason },
    update: { reason, since: new Date() },
  });
  log.warn({ channelId, reason }, 'channel stopped');
  await enqueueChannelWarning(channelId, turn.account.id);
  await endDeliveries({ deliveryId, channelId, answeredSince, during: turn }, 'failed', reason);
}
