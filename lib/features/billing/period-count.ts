import { readTrials } from '@/lib/auth/trial-rows';
import { db, type Transaction } from '@/lib/db/database';
import { STARTER } from './plan';

/** A period's notifications reserved and sent, including those of other accounts that share its trial. */
interface PeriodCount {
  reserved: number;
  sent: number;
  /** Whether it uses up a trial together with another account. */
  isShared: boolean;
}

/** The count of an account's period; zero if the period is not open. */
export async function readCount(accountId: string, startsAt: Date): Promise<PeriodCount> {
  const where = { accountId_startsAt: { accountId, startsAt } };
  const period = await db().usagePeriod.findUnique({ where });
  if (!period) return { reserved: 0, sent: 0, isShared: false };
  const isShared = period.sharedTrials.length > 0;
  const counts = [period, ...(isShared ? await readTrials(db(), period.sharedTrials) : [])];
  return {
    reserved: Math.max(...counts.map(({ reserved }) => reserved)),
    sent: Math.max(...counts.map(({ sent }) => sent)),
    isShared,
  };
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
