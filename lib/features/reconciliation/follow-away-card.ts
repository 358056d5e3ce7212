import { db } from '@/lib/db/database';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { tellGatheredSql, waitingFor } from '../decisions/gathered';
import { finishGathering } from './finish-gathering';

const FOLLOW_AFTER_MS = 5 * SECOND_MS;
const MAX_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Makes sure that gathered changes are told: if the rule to which their card belongs is deleted before the card is
 * sent, gathers the other rules' changes again. Returns when to check again.
 */
export async function followAwayCard({
  carrierId,
}: {
  carrierId: string;
}): Promise<{ done: true } | { retryInMs: number }> {
  const carrier = await db().message.findFirst({ where: { id: carrierId } });
  if (!carrier) await gatherAgain(carrierId);
  if (carrier?.state !== 'waiting') return { done: true };
  const waitedMs = Date.now() - carrier.createdAt.getTime();
  return { retryInMs: Math.min(MAX_PAUSE_MS, Math.max(FOLLOW_AFTER_MS, waitedMs / 4)) };
}

async function gatherAgain(carrierId: string): Promise<void> {
  const left = { outcome: 'gathered', messageId: carrierId } as const;
  const first = await db().decision.findFirst({ where: left, select: { accountId: true } });
  if (!first) return;
  await db().$executeRaw(tellGatheredSql(null, waitingFor(carrierId, first.accountId)));
  await finishGathering(first.accountId);
}
