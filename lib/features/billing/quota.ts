import { z } from 'zod';
import { trialPeriod } from '@/lib/auth/trial-rows';
import { Prisma, type Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue, enqueueRowsSql, isoSql } from '@/lib/queue/enqueue';
import { currentPeriod } from './period';
import { readCount } from './period-count';
import { STARTER, WARNING_THRESHOLD } from './plan';
import { type Stop, whyStopped, whyUsedUp } from './posting-permission';

/** What decides whether an account may post, and in which period its posts count. */
export type BillingState = Pick<
  Account,
  'id' | 'status' | 'trialEndsAt' | 'createdAt' | 'paidPeriodStart' | 'paidPeriodEnd'
>;

/** Why an account may post nothing now; null while it may and its period has a notification left. */
export async function whyCannotPost(account: BillingState): Promise<Stop | null> {
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return stopped;
  const count = await readCount(account.id, currentPeriod(account, now).start);
  return whyUsedUp(account, count.reserved, count.isShared);
}

/**
 * Parts of a WITH that reserve notifications in periods that share exactly these trials. The part `pending` has
 * account_id, start, until and nr; the part `requested` adds whether each `fits`, null if there is no such period. The
 * counter is read under its lock and raised up to the limit, so that any number of workers together never pass it.
 */
export function reserveInPeriodsSql(trials: string[]): Prisma.Sql {
  return Prisma.sql`
    period as (
      select p.account_id, p.starts_at, p.reserved from usage_period p
      where (p.account_id, p.starts_at) in (select account_id, start from pending)
        and p.shared_trials = ${trials}::text[]
      order by p.account_id, p.starts_at for update
    ), requested as (
      select m.*, p.reserved + row_number() over (partition by m.account_id, m.start order by m.nr)
        <= ${STARTER.notifications} as fits
      from pending m left join period p on p.account_id = m.account_id and p.starts_at = m.start
    ), counted as (
      update usage_period p set reserved = p.reserved + granted.notifications, ends_at = granted.until
      from (select account_id, start, max(until) as until, count(*)::int as notifications from requested
        where fits group by 1, 2) granted
      where p.account_id = granted.account_id and p.starts_at = granted.start
    )`;
}

/**
 * The end of a statement, which releases the reservations of messages that one of its parts has with account_id and
 * start.
 */
export function releaseReservationsSql(messages: 'ending' | 'orphan'): Prisma.Sql {
  return Prisma.sql`
    update usage_period p set reserved = p.reserved - released.notifications
    from (select account_id, start, count(*)::int as notifications from ${Prisma.raw(messages)}
      where start is not null group by 1, 2) released
    where p.account_id = released.account_id and p.starts_at = released.start`;
}

/** Tells account holders that most or all of a period is used, if it is: this one, and those who share its trial. */
export const warnUsageJob = defineJob({
  name: 'warn-usage',
  payload: z.object({
    accountId: z.uuid(),
    /** Start of the period. */
    periodStart: z.iso.datetime(),
  }),
  key: ['accountId', 'periodStart'],
});

// What others use of a shared trial is counted in their own periods at the same time, so the job adds it up.
const WARN_COUNTED = enqueueRowsSql(warnUsageJob, {
  payload: {
    accountId: Prisma.sql`account_id`,
    periodStart: isoSql('starts_at'),
  },
  from: Prisma.sql`counted where shares_trial
    or (before < ${WARNING_THRESHOLD}::int and sent >= ${WARNING_THRESHOLD}::int)
    or (before < ${STARTER.notifications}::int and sent >= ${STARTER.notifications}::int)`,
});

/**
 * Parts of a WITH that count messages: those that the part `counting` has with account_id, start and id, and whether
 * each `is_unreserved`. Reaching most or all of the limit enqueues the warning, and so does each message of a shared
 * trial; the statement has to read from `warned`.
 */
export function countSentSql(): Prisma.Sql {
  return Prisma.sql`
    period as (
      select p.account_id, p.starts_at, news.messages, news.unreserved from usage_period p join (
        select account_id, start, count(distinct id)::int as messages,
          (count(distinct id) filter (where is_unreserved))::int as unreserved
        from counting group by 1, 2) news
      on p.account_id = news.account_id and p.starts_at = news.start
      order by p.account_id, p.starts_at for update of p
    ), counted as (
      update usage_period p set sent = p.sent + period.messages, reserved = p.reserved + period.unreserved from period
      where p.account_id = period.account_id and p.starts_at = period.starts_at
      returning p.account_id, p.starts_at, p.sent, p.sent - period.messages as before,
        p.shared_trials <> '{}' as shares_trial
    ), warned as (
      ${WARN_COUNTED}
    )`;
}

/** Enqueues the warning for an account whose trial began with most of its notifications used. */
export async function warnUsedTrial(tx: Transaction, account: Account): Promise<void> {
  const { start } = trialPeriod(account);
  if ((await readCount(account.id, start, tx)).sent < WARNING_THRESHOLD) return;
  await enqueue(tx, warnUsageJob, { accountId: account.id, periodStart: start.toISOString() });
}

/** Opens a period, unless it is open. */
export const openPeriodSql = (
  accountId: string,
  { start, end }: { start: Date; end: Date },
): Prisma.Sql => Prisma.sql`
  with owner as (select id from account where id = ${accountId}::uuid for key share)
  insert into usage_period (account_id, starts_at, ends_at)
  select id, ${start}::timestamptz, ${end}::timestamptz from owner
  on conflict (account_id, starts_at) do nothing`;
