import { Prisma, runStatement } from '@/lib/db/database';
import { inBatches } from '@/lib/queue/in-batches';
import { currentPeriod, type Period } from '../billing/period';
import { type AccountStanding, openPeriodSql, takePlacesSql } from '../billing/quota';
import { OVER_QUOTA, whyStopped } from '../billing/standing';

interface PendingMessage {
  id: string;
  at: Date;
  /** The period in which an earlier attempt took a place. */
  usagePeriodStart: Date | null;
}

/** A place within the plan for one message, null for one that needs none; or why there is none. */
export type Place = { periodStart: Date | null } | { stopped: string };

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
    await runStatement(openPeriodSql(account.id, period));
    answer = await takePlace(asked);
  }
  if (answer === 'placed') return { periodStart: period.start };
  return answer === 'full' ? { stopped: OVER_QUOTA } : null;
}

interface Asked {
  message: PendingMessage;
  accountId: string;
  period: Period;
}

type Answer = 'placed' | 'full' | 'no_period' | 'gone';

const takePlace = inBatches(async (asked: Asked[]): Promise<Answer[]> => {
  const rows = await runStatement<{ nr: number; answer: Answer }>(placeSql(asked));
  const answers = new Map(rows.map(({ nr, answer }) => [nr, answer]));
  return asked.map((_, index) => answers.get(index + 1) ?? 'gone');
}, LARGEST_BATCH);

/**
 * Takes places for messages, in one statement:
 *
 * 1. locks whose they are, from the account down, as its deletion does: the other way round, the two could wait for each
 *    other for ever (`owner`), and those that still wait without a place (`pending`);
 * 2. takes a place for each in its account's period, as long as there are any (`takePlacesSql`);
 * 3. notes on the messages which place that is, and that they may be sent from now on (`marked`).
 */
const placeSql = (asked: Asked[]): Prisma.Sql => Prisma.sql`
    with asked as (
      select distinct on (id) * from unnest(${asked.map(({ message }) => message.id)}::uuid[],
        ${asked.map(({ message }) => message.at)}::timestamptz[],
        ${asked.map(({ accountId }) => accountId)}::uuid[],
        ${asked.map(({ period }) => period.start)}::timestamptz[],
        ${asked.map(({ period }) => period.end)}::timestamptz[])
        with ordinality as a (id, at, account_id, start, until, nr)
      order by id, nr
    ), owner as (
      select id from account where id = any(array(select account_id from asked)) order by id for key share
    ), pending as (
      select asked.* from asked join owner on owner.id = asked.account_id cross join lateral (
        select m.account_id, m.state, m.usage_period_start from message m
        where m.id = asked.id and m.at = asked.at limit 1 for update) m
      where m.account_id = asked.account_id and m.state = 'waiting' and m.usage_period_start is null
    ), ${takePlacesSql('pending')}, marked as (
      update message m set usage_period_start = p.start, tried_at = coalesce(m.tried_at, now())
      from placed p where m.id = p.id and m.at = p.at and p.fits
    )
    select nr::int, case when fits then 'placed' when fits is null then 'no_period' else 'full' end as answer
    from placed`;
