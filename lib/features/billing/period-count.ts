import { readTrials } from '@/lib/auth/trial-rows';
import { db, type Transaction } from '@/lib/db/database';
import type { UsagePeriod } from '@/lib/db/generated/client';
import { STARTER, WARNING_THRESHOLD } from './plan';
import { isOnTrial } from './posting-permission';

/** A period's notifications reserved and sent, including those of other accounts that share its trial. */
interface PeriodCount {
  reserved: number;
  sent: number;
  /** Whether it uses up a trial together with another account. */
  isShared: boolean;
}

/** The count of an account's period; zero if the period is not open. */
export async function readCount(
  accountId: string,
  startsAt: Date,
  tx: Transaction = db(),
): Promise<PeriodCount> {
  const where = { accountId_startsAt: { accountId, startsAt } };
  const period = await tx.usagePeriod.findUnique({ where });
  return period ? countOf(period, tx) : { reserved: 0, sent: 0, isShared: false };
}

/** The count of a period that was just read. */
export async function countOf(period: UsagePeriod, tx: Transaction = db()): Promise<PeriodCount> {
  const isShared = period.sharedTrials.length > 0;
  const counts = [period, ...(isShared ? await readTrials(tx, period.sharedTrials) : [])];
  return {
    reserved: Math.max(...counts.map(({ reserved }) => reserved)),
    sent: Math.max(...counts.map(({ sent }) => sent)),
    isShared,
  };
}

/**
 * The other accounts on trial that share a trial with this period, and were not told yet that most, or all, of that
 * trial is used. Locks nothing.
 */
export async function listUnwarned(accountId: string, startsAt: Date): Promise<UsagePeriod[]> {
  const where = { accountId_startsAt: { accountId, startsAt } };
  const hashes = (await db().usagePeriod.findUnique({ where }))?.sharedTrials ?? [];
  if (hashes.length === 0) return [];
  const trials = await readTrials(db(), hashes);
  const usedFrom = (count: number) =>
    trials.filter(({ sent }) => sent >= count).map(({ holderHash }) => holderHash);
  const sharers = await db().usagePeriod.findMany({
    where: {
      accountId: { not: accountId },
      OR: [
        { warnedMostAt: null, sharedTrials: { hasSome: usedFrom(WARNING_THRESHOLD) } },
        { warnedAllAt: null, sharedTrials: { hasSome: usedFrom(STARTER.notifications) } },
      ],
    },
    include: { account: true },
  });
  const now = new Date();
  return sharers.filter(({ account }) => isOnTrial(account, now));
}

/**
 * Locks the trials that an account's period shares, so that nobody else reserves in them before the transaction
 * ends. Call it before anything else is locked. Returns the hashes of their holders, and whether one of them is used
 * up.
 */
export async function lockSharedTrials(
  tx: Transaction,
  accountId: string,
  startsAt: Date,
): Promise<{ hashes: string[]; areUsedUp: boolean }> {
  const where = { accountId_startsAt: { accountId, startsAt } };
  const hashes = (await tx.usagePeriod.findUnique({ where }))?.sharedTrials ?? [];
  // In the order in which all trials are locked.
  await tx.$queryRaw`
    select 1 from trial where holder_hash = any(${hashes}::text[]) order by holder_hash for update`;
  const trials = await readTrials(tx, hashes);
  return { hashes, areUsedUp: trials.some(({ reserved }) => reserved >= STARTER.notifications) };
}
