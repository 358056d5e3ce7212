import { Prisma, runStatement } from '@/lib/db/database';
import { COMMITS_ASYNCHRONOUSLY } from '@/lib/db/planner-hints';
import { isForeignKeyViolation } from '@/lib/db/row-gone';
import { tooManyRequests } from './limit-address';

/** What an account may do in a minute. */
const LIMITS = {
  /** API calls: far more than a dashboard makes, far fewer than would hurt. */
  calls: 600,
  /** Calls that make us call Discord, Notion or Stripe, weighted by cost. */
  outside: 60,
};

/** Counts one API call of an account. Throws `rate_limited` above 600 a minute. */
export function limitAccount(accountId: string): Promise<void> {
  return count(accountId, 'calls', 1);
}

/** Counts a call that makes us call Discord, Notion or Stripe. Throws `rate_limited` above a cost of 60 a minute. */
export function limitOutsideCalls(accountId: string, cost = 1): Promise<void> {
  return count(accountId, 'outside', cost);
}

interface Count {
  used: number;
  secondsLeft: number;
}

/**
 * Counts in the database, across all processes, in a window of a minute that begins with the first call after the last
 * window. Commits asynchronously: a crash may lose the counts of a moment, and no page waits for the flush.
 */
async function count(accountId: string, kind: keyof typeof LIMITS, cost: number): Promise<void> {
  const statement = Prisma.sql`
    insert into call_count as c (account_id, kind, used, ends_at)
    select ${accountId}::uuid, ${kind}, ${cost}, now() + interval '1 minute' where ${COMMITS_ASYNCHRONOUSLY}
    on conflict (account_id, kind) do update set
      used = case when c.ends_at > now() then c.used + excluded.used else excluded.used end,
      ends_at = case when c.ends_at > now() then c.ends_at else excluded.ends_at end
    returning used, ceil(extract(epoch from ends_at - now()))::int as "secondsLeft"`;
  try {
    const [now] = await runStatement<Count>(statement);
    if (now && now.used > LIMITS[kind]) throw tooManyRequests(now.secondsLeft);
  } catch (error) {
    // The account was just deleted; the next function that reads it reports that.
    if (!isForeignKeyViolation(error)) throw error;
  }
}
