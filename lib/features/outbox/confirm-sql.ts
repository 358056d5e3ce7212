import { Prisma } from '@/lib/db/database';
import { lookedUpFrom } from '@/lib/db/planner-hints';
import { countSentSql } from '../billing/quota';
import { CONFIRM_LOCKED } from '../messages/change-ended';

export interface ConfirmedMessage {
  id: string;
  at: Date;
  accountId: string;
  /** Discord's id of the message; null when it was posted but has been deleted since. */
  discordMessageId: string | null;
  /** The post that it began in a forum; absent elsewhere. */
  placeId?: string | undefined;
  /** The period in which it has a reservation; null when it needs none. */
  periodStart: Date | null;
}

/** How many messages `confirmSentSql` has newly confirmed. Reading it enqueues the warnings. */
export const CONFIRMED_COUNT = Prisma.sql`(
  select count(*)::int from confirmed where (select count(*) from warned) >= 0)`;

/**
 * Marks messages as sent and counts each in the period of its reservation, once, however often Discord confirms it.
 * Returns the parts of a WITH; the statement has to read `CONFIRMED_COUNT`:
 *
 * 1. locks their accounts (`owner`), and the messages that still exist (`known`), with the periods in which they have
 *    reservations by now: a worker that was held up may find that its reservation was released, or made anew;
 * 2. stores Discord's ids of them and where they are, and deletes their bodies (`confirmed`);
 * 3. counts those, and messages that were deleted while they were being sent: they were posted too (`counting`). Those
 *    without a reservation are reserved too.
 *
 * `patience` is always true and sets the lock timeout (`lockPatience`).
 */
export function confirmSentSql(sent: ConfirmedMessage[], patience = Prisma.sql`true`): Prisma.Sql {
  return Prisma.sql`
    sent as (
      select * from unnest(${sent.map(({ id }) => id)}::uuid[], ${sent.map(({ at }) => at)}::timestamptz[],
        ${sent.map(({ accountId }) => accountId)}::uuid[],
        ${sent.map(({ discordMessageId }) => discordMessageId)}::text[],
        ${sent.map(({ periodStart }) => periodStart)}::timestamptz[],
        ${sent.map(({ placeId }) => placeId ?? null)}::text[])
        as s (id, at, account_id, discord_message_id, start, place_id)
      order by id
    ), owner as (
      select id from account where id = ${lookedUpFrom(Prisma.sql`select account_id from sent`)}
        and (select ${patience})
      order by id for key share
    ), known as (
      select m.id, m.at, m.account_id, m.state, m.start as reserved, coalesce(m.start, sent.start) as start,
        sent.discord_message_id, sent.place_id
      from sent join owner on owner.id = sent.account_id cross join lateral (
        select id, at, account_id, state, usage_period_start as start from message
        where id = sent.id and at = sent.at and account_id = owner.id limit 1 for update) m
    ), confirmed as (
      ${CONFIRM_LOCKED} returning m.id, m.tried_at
    ), counting as (
      select sent.account_id, coalesce(known.start, sent.start) as start, sent.id,
        known.reserved is null as is_unreserved
      from sent left join known using (id)
      where sent.start is not null and (known.id is null or id in (select id from confirmed))
    ), ${countSentSql()}`;
}
