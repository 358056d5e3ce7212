import { db, Prisma, runStatement } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { inBatches } from '@/lib/queue/in-batches';
import { completeCardJob } from '../notifications/complete-card';
import { currentPeriod, type Period } from './period';
import { MOST_NOTIFICATIONS, STARTER } from './plan';
import { OVER_QUOTA, whyStopped } from './standing';
import { warnUsageJob } from './warn-usage';

/** What says whether an account may post, and in which period that counts. */
export type AccountStanding = Pick<
  Account,
  'id' | 'status' | 'trialEndsAt' | 'createdAt' | 'paidPeriodStart' | 'paidPeriodEnd'
>;

interface PendingMessage {
  id: string;
  eventAt: Date;
  /** The period in which an earlier attempt took a place. */
  usagePeriodStart: Date | null;
}

/** A place within the plan for one message, or why there is none. */
export type Place = { periodStart: Date } | { stopped: string };

// The first bytes of a sealed text are never those of another.
const SEAL_BYTES = 33;

const LARGEST_BATCH = 200;

/**
 * Takes a place in the account's period for a message before it is sent, and notes that it may be sent from
 * now on. A message keeps its place until it is sent or given up. Null when the message is gone, or another
 * worker has just taken its place.
 */
export async function reservePlace(account: AccountStanding, message: PendingMessage): Promise<Place | null> {
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return { stopped };
  if (message.usagePeriodStart) return { periodStart: message.usagePeriodStart };
  const period = currentPeriod(account, now);
  const asked = { message, accountId: account.id, period };
  let answer = await takePlace(asked);
  if (answer === 'no_period') {
    await openPeriod(asked);
    answer = await takePlace(asked);
  }
  if (answer === 'placed') return { periodStart: period.start };
  return answer === 'full' ? { stopped: OVER_QUOTA } : null;
}

/** Why an account may post nothing now, in a sentence; null while it may and its period has a place left. */
export async function whyNoPlace(account: AccountStanding): Promise<string | null> {
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return stopped;
  const { start: startsAt } = currentPeriod(account, now);
  const where = { accountId_startsAt: { accountId: account.id, startsAt } };
  const period = await db().usagePeriod.findUnique({ where });
  return period && period.reserved >= STARTER.notifications ? OVER_QUOTA : null;
}

interface Asked {
  message: PendingMessage;
  accountId: string;
  period: Period;
}

type Answer = 'placed' | 'full' | 'no_period' | 'gone';

// Rows are locked from the account down, as its deletion does: the other way round, the two could wait for each
// other for ever. The counter is read under its lock and raised up to the limit, so that any number of workers
// together never pass it.
const takePlace = inBatches(async (asked: Asked[]): Promise<Answer[]> => {
  const rows = await runStatement<{ at: number; answer: Answer }>(Prisma.sql`
    with asked as (
      select distinct on (id) * from unnest(${asked.map(({ message }) => message.id)}::uuid[],
        ${asked.map(({ message }) => message.eventAt)}::timestamptz[],
        ${asked.map(({ accountId }) => accountId)}::uuid[],
        ${asked.map(({ period }) => period.start)}::timestamptz[],
        ${asked.map(({ period }) => period.end)}::timestamptz[])
        with ordinality as a (id, event_at, account_id, start, until, at)
      order by id, at
    ), owner as (
      select id from account where id = any(array(select account_id from asked)) order by id for key share
    ), message as (
      select asked.* from asked join owner on owner.id = asked.account_id cross join lateral (
        select d.account_id, d.state, d.usage_period_start from delivery d
        where d.id = asked.id and d.event_at = asked.event_at limit 1 for update) d
      where d.account_id = asked.account_id and d.state = 'waiting' and d.usage_period_start is null
    ), period as (
      select p.account_id, p.starts_at, p.reserved from usage_period p
      where (p.account_id, p.starts_at) in (select account_id, start from message)
      order by p.account_id, p.starts_at for update
    ), placed as (
      select m.*, p.reserved + row_number() over (partition by m.account_id, m.start order by m.at)
        <= ${STARTER.notifications} as fits
      from message m left join period p on p.account_id = m.account_id and p.starts_at = m.start
    ), marked as (
      update delivery d set usage_period_start = p.start, tried_at = coalesce(d.tried_at, now())
      from placed p where d.id = p.id and d.event_at = p.event_at and p.fits
    ), counted as (
      update usage_period p set reserved = p.reserved + taken.places, ends_at = taken.until
      from (select account_id, start, max(until) as until, count(*)::int as places from placed
        where fits group by 1, 2) taken
      where p.account_id = taken.account_id and p.starts_at = taken.start
    )
    select at::int, case when fits then 'placed' when fits is null then 'no_period' else 'full' end as answer
    from placed`);
  const answers = new Map(rows.map(({ at, answer }) => [at, answer]));
  return asked.map((_, index) => answers.get(index + 1) ?? 'gone');
}, LARGEST_BATCH);

async function openPeriod({ accountId, period }: Asked): Promise<void> {
  await runStatement(Prisma.sql`
    with owner as (select id from account where id = ${accountId}::uuid for key share)
    insert into usage_period (account_id, starts_at, ends_at)
    select id, ${period.start}::timestamptz, ${period.end}::timestamptz from owner
    on conflict (account_id, starts_at) do nothing`);
}

export interface SentMessage {
  id: string;
  eventAt: Date;
  accountId: string;
  /** What was sent, as its row had it. */
  sealedMessage: Uint8Array;
  /** Discord's id of it; null when it was posted but is known to have been deleted since. */
  messageId: string | null;
  /** The period of its place. */
  periodStart: Date;
}

const COMPLETE_OUTDATED = enqueueRowsSql(completeCardJob, {
  payload: { deliveryId: Prisma.sql`id`, eventAt: Prisma.sql`event_at` },
  accountId: Prisma.sql`account_id`,
  from: Prisma.sql`confirmed where is_outdated`,
  inMs: 0,
});

const WARN_COUNTED = enqueueRowsSql(warnUsageJob, {
  payload: {
    accountId: Prisma.sql`account_id`,
    periodStart: Prisma.sql`to_char(starts_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
  from: Prisma.sql`counted where (before < ${MOST_NOTIFICATIONS}::int and sent >= ${MOST_NOTIFICATIONS}::int)
    or (before < ${STARTER.notifications}::int and sent >= ${STARTER.notifications}::int)`,
});

/**
 * Marks messages as sent and counts each in the period of its place, once, however often Discord confirmed it.
 * Reaching most or all of the limit wakes the warning, and a card that was changed while it was on its way is
 * completed in place. These are the named parts of a statement; it has to read from `warned` and `outdated`.
 */
export function confirmSentSql(sent: SentMessage[]): Prisma.Sql {
  // A message whose row was deleted while it was on its way has been posted all the same, and counts.
  return Prisma.sql`
    sent as (
      select * from unnest(${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ eventAt }) => eventAt)}::timestamptz[],
        ${sent.map(({ accountId }) => accountId)}::uuid[], ${sent.map(({ messageId }) => messageId)}::text[],
        ${sent.map(({ periodStart }) => periodStart)}::timestamptz[],
        ${sent.map(({ sealedMessage }) => Buffer.from(sealedMessage).subarray(0, SEAL_BYTES))}::bytea[])
        as s (id, event_at, account_id, message_id, start, seal)
      order by id
    ), owner as (
      select id from account where id = any(array(select account_id from sent)) order by id for key share
    ), known as (
      select d.id, d.event_at, d.state, sent.message_id, sent.seal
      from sent join owner on owner.id = sent.account_id cross join lateral (
        select d.id, d.event_at, d.state from delivery d where d.id = sent.id and d.event_at = sent.event_at
        limit 1 for update) d
    ), confirmed as (
      update delivery d set state = 'sent', message_id = known.message_id, finished_at = now(), reason = null,
        next_try_at = null, attempts = attempts + 1,
        sealed_message = case when substring(sealed_message from 1 for ${SEAL_BYTES}) <> known.seal then sealed_message end
      from known where d.id = known.id and d.event_at = known.event_at and known.state = 'waiting'
      returning d.id, d.event_at, d.account_id, d.sealed_message is not null as is_outdated
    ), outdated as (
      ${COMPLETE_OUTDATED}
    ), period as (
      select p.account_id, p.starts_at, news.messages from usage_period p join (
        select account_id, start, count(distinct id)::int as messages from sent
        where id in (select id from confirmed) or id not in (select id from known) group by 1, 2) news
      on p.account_id = news.account_id and p.starts_at = news.start
      order by p.account_id, p.starts_at for update of p
    ), counted as (
      update usage_period p set sent = p.sent + period.messages from period
      where p.account_id = period.account_id and p.starts_at = period.starts_at
      returning p.account_id, p.starts_at, p.sent, p.sent - period.messages as before
    ), warned as (
      ${WARN_COUNTED}
    )`;
}
