import { isForeignKeyViolation, Prisma, runStatement } from '@/lib/db/database';
import { tooManyRequests } from './limit-address';

/** What an account may do in a minute. */
const LIMITS = {
  /** API calls: far above what a dashboard makes, far below what hurts. */
  calls: 600,
  /** Calls that make Discord or Notion answer, by what they cost. */
  outside: 60,
};

/** Counts one API call of an account. Throws `rate_limited` above ten a second over a minute. */
export function limitAccount(accountId: string): Promise<void> {
  return count(accountId, 'calls', 1);
}

/** Counts a call that makes Discord or Notion answer. Throws `rate_limited` above a cost of sixty a minute. */
export function limitOutsideCalls(accountId: string, cost = 1): Promise<void> {
  return count(accountId, 'outside', cost);
}

interface Count {
  used: number;
  secondsLeft: number;
}

/** Counts in the database, for all processes together, in a minute that begins with the first call after the last one. */
async function count(accountId: string, kind: keyof typeof LIMITS, cost: number): Promise<void> {
  const statement = Prisma.sql`
    insert into call_count as c (account_id, kind, used, ends_at)
    values (${accountId}::uuid, ${kind}, ${cost}, now() + interval '1 minute')
    on conflict (account_id, kind) do update set
      used = case when c.ends_at > now() then c.used + excluded.used else excluded.used end,
      ends_at = case when c.ends_at > now() then c.ends_at else excluded.ends_at end
    returning used, ceil(extract(epoch from ends_at - now()))::int as "secondsLeft"`;
  try {
    const [now] = await runStatement<Count>(statement);
    if (now && now.used > LIMITS[kind]) throw tooManyRequests(now.secondsLeft);
  } catch (error) {
    // The account was deleted a moment ago; whatever looks for it next says so.
    if (!isForeignKeyViolation(error)) throw error;
  }
}
