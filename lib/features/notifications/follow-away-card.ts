import { db } from '@/lib/db/database';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { finishGathering } from './finish-gathering';
import { CARRIED } from './gather';

const FOLLOW_AFTER_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** Lets the gathered changes have the fate of the card that tells of them. Returns when to look again. */
export async function followAwayCard({
  carrierId,
}: {
  carrierId: string;
}): Promise<{ done: true } | { retryInMs: number }> {
  const carrier = await db().delivery.findFirst({ where: { id: carrierId } });
  if (!carrier) {
    await carryAnew(carrierId);
    return { done: true };
  }
  const { state, reason, messageId, finishedAt, createdAt } = carrier;
  if (state === 'waiting') {
    const waitedMs = Date.now() - createdAt.getTime();
    return { retryInMs: Math.min(LONGEST_PAUSE_MS, Math.max(FOLLOW_AFTER_MS, waitedMs / 4)) };
  }
  await db().delivery.updateMany({
    where: { ...CARRIED, accountId: carrier.accountId, gatheredInto: carrierId },
    data: { state, reason, messageId, finishedAt },
  });
  return { done: true };
}

// The rule of the delivery that carried them was deleted before its card was sent; the others' changes are still news.
async function carryAnew(carrierId: string): Promise<void> {
  const left = { ...CARRIED, gatheredInto: carrierId, ruleId: { not: null } };
  const first = await db().delivery.findFirst({ where: left, select: { accountId: true } });
  if (!first) return;
  await db().delivery.updateMany({ where: left, data: { gatheredInto: null } });
  await finishGathering(first.accountId);
}
