import { db } from '@/lib/db/database';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

interface FollowJob {
  carrierId: string;
}

export const followJobKey = ({ carrierId }: FollowJob) => `follow-away-card:${carrierId}`;

const FOLLOW_AFTER_MS = 5 * SECOND_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;

/** Lets the gathered changes have the fate of the card that tells of them. Returns when to look again. */
export async function followAwayCard({ carrierId }: FollowJob): Promise<{ done: true } | { retryAt: Date }> {
  const carrier = await db().delivery.findFirst({ where: { id: carrierId } });
  if (!carrier) return { done: true };
  const { state, reason, messageId, finishedAt, createdAt } = carrier;
  if (state === 'waiting') {
    const waitedMs = Date.now() - createdAt.getTime();
    const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FOLLOW_AFTER_MS, waitedMs / 4));
    return { retryAt: new Date(Date.now() + pauseMs) };
  }
  await db().delivery.updateMany({
    where: { accountId: carrier.accountId, gatheredInto: carrierId, state: 'skipped' },
    data: { state, reason, messageId, finishedAt },
  });
  return { done: true };
}
