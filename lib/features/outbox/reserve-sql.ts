import { Prisma } from '@/lib/db/database';
import { lookedUpFrom } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import type { Period } from '../billing/period';
import { reserveInPeriodsSql } from '../billing/quota';
import { NOTE_RESERVATIONS } from '../messages/change-waiting';

export interface PendingMessage {
  id: string;
  at: Date;
  /** The period in which an earlier attempt made a reservation. */
  usagePeriodStart: Date | null;
}

/** A message that needs a reservation in a period of its account. */
export interface Asked {
  message: PendingMessage;
  accountId: string;
  period: Period;
}

/**
 * A row of `reserveSql`: the outcome for the message with this number, counted from 1: `reserved`, `full`, `no_period`,
 * or `shared` when its period shares trials other than the given ones.
 */
export const RESERVED_ROW = { nr: 'int4', outcome: 'text' } as const satisfies RowShape;

/**
 * Reserves notifications for messages in periods that share these trials, usually none, in one statement:
 *
 * 1. locks the accounts first, as a deletion does, so that the two cannot deadlock (`owner`), then the messages that
 *    still wait without a reservation (`pending`);
 * 2. reserves one for each in its account's period, while notifications are left (`reserveInPeriodsSql`);
 * 3. records the reservation with each message, and that it may be sent from now on (`marked`).
 *
 * `patience` is always true and sets the lock timeout (`lockPatience`).
 */
export const reserveSql = (asked: Asked[], trials: string[], patience: Prisma.Sql): Prisma.Sql => Prisma.sql`
    with asked as (
      select distinct on (id) * from unnest(${asked.map(({ message }) => message.id)}::uuid[],
        ${asked.map(({ message }) => message.at)}::timestamptz[],
        ${asked.map(({ accountId }) => accountId)}::uuid[],
        ${asked.map(({ period }) => period.start)}::timestamptz[],
        ${asked.map(({ period }) => period.end)}::timestamptz[])
        with ordinality as a (id, at, account_id, start, until, nr)
      order by id, nr
    ), owner as (
      select id from account where id = ${lookedUpFrom(Prisma.sql`select account_id from asked`)}
        and (select ${patience})
      order by id for key share
    ), pending as (
      select asked.* from asked join owner on owner.id = asked.account_id cross join lateral (
        select m.state, m.usage_period_start from message m
        where m.id = asked.id and m.at = asked.at and m.account_id = owner.id limit 1 for update) m
      where m.state = 'waiting' and m.usage_period_start is null
    ), ${reserveInPeriodsSql(trials)}, marked as (
      ${NOTE_RESERVATIONS}
    )
    select nr::int, case when fits then 'reserved' when not fits then 'full'
      when exists (select 1 from usage_period p where p.account_id = requested.account_id and p.starts_at = requested.start)
        then 'shared' else 'no_period' end as outcome
    from requested`;
