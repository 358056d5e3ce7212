import { db } from '@/lib/db/database';
import { currentPeriod } from './period';
import { MOST_NOTIFICATIONS, STARTER } from './plan';
import { OVER_QUOTA, whyStopped } from './standing';

interface PendingMessage {
  id: string;
  accountId: string;
  /** The period in which an earlier attempt took a place. */
  usagePeriodStart: Date | null;
}

// Rows are locked from the account down, as its deletion does: the other way round, the two could wait for each
// other for ever.

/** A place within the plan for one message, or why there is none. */
export type Place = { periodStart: Date } | { stopped: string };

/**
 * Takes a place in the account's period for a message before it is sent. The counter is raised only below the
 * limit, in one statement, so that any number of workers together never pass it. A message keeps its place
 * until it is sent or given up. Null when the message is gone, or another worker has just taken its place.
 */
export async function reservePlace(message: PendingMessage): Promise<Place | null> {
  const account = await db().account.findUnique({ where: { id: message.accountId } });
  if (!account) return null;
  const now = new Date();
  const stopped = whyStopped(account, now);
  if (stopped) return { stopped };
  if (message.usagePeriodStart) return { periodStart: message.usagePeriodStart };
  const { start, end } = currentPeriod(account, now);
  const [taken] = await db().$queryRaw<{ messages: number; places: number }[]>`
    with message as (
      select d.id from account a join delivery d on d.account_id = a.id
      where d.id = ${message.id}::uuid and d.state = 'waiting' and d.usage_period_start is null
      for key share of a for update of d
    ), place as (
      insert into usage_period (account_id, starts_at, ends_at, reserved)
      select ${account.id}::uuid, ${start}::timestamptz, ${end}::timestamptz, 1 from message
      on conflict (account_id, starts_at) do update
        set reserved = usage_period.reserved + 1, ends_at = excluded.ends_at
        where usage_period.reserved < ${STARTER.notifications}
      returning 1
    ), placed as (
      update delivery set usage_period_start = ${start}::timestamptz
      where id in (select id from message) and exists (select 1 from place)
    )
    select (select count(*) from message)::int as messages, (select count(*) from place)::int as places`;
  if (!taken?.messages) return null;
  return taken.places ? { periodStart: start } : { stopped: OVER_QUOTA };
}

/**
 * Marks a message as sent and counts it in the period of its place, once, however often Discord confirmed it.
 * Reaching most or all of the limit wakes the warning.
 */
export async function confirmSent(
  message: { id: string; accountId: string },
  messageId: string,
  periodStart: Date,
): Promise<void> {
  // A message whose row was deleted while it was on its way has been posted all the same, and counts.
  await db().$executeRaw`
    with known as (
      select d.id, d.state from account a join delivery d on d.account_id = a.id
      where d.id = ${message.id}::uuid
      for key share of a for update of d
    ), confirmed as (
      update delivery set state = 'sent', message_id = ${messageId}, finished_at = now(), reason = null,
        next_try_at = null, attempts = attempts + 1
      where id in (select id from known where state = 'waiting')
      returning 1
    ), counted as (
      update usage_period set sent = sent + 1
      where account_id = ${message.accountId}::uuid and starts_at = ${periodStart}::timestamptz
        and (exists (select 1 from confirmed) or not exists (select 1 from known))
      returning account_id, starts_at, sent
    )
    select graphile_worker.add_job('warn-usage',
      json_build_object('accountId', account_id, 'periodStart', ${periodStart.toISOString()}::text),
      queue_name => 'warn-usage:' || account_id, job_key => 'warn-usage:' || account_id,
      job_key_mode => 'preserve_run_at')
    from counted where sent in (${MOST_NOTIFICATIONS}::int, ${STARTER.notifications}::int)`;
}
