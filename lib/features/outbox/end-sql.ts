import { Prisma } from '@/lib/db/database';
import { sameAs } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import { releaseReservationsSql } from '../billing/quota';
import { endLockedSql } from '../messages/change-ended';

export interface Ending {
  /** The message that was tried. */
  messageId?: string;
  /** Every message that waits for this channel is ended too. */
  channelId?: string;
  /** Of the channel's messages, end only those that need a reservation and have none. */
  isUnreserved?: boolean;
  /** Messages first tried before this may have been posted; the others certainly were not. Absent means now. */
  answeredSince?: Date;
  /** Nothing is ended unless this condition holds: that the channel, or the conversation, is still this worker's. */
  holds?: Prisma.Sql;
}

/** A row of `endSql`: a message that was ended, and when Discord may have been asked to post it, or else now. */
export const ENDED_ROW = { id: 'uuid', at: 'timestamptz' } as const satisfies RowShape;

/**
 * Ends waiting messages, in one statement:
 *
 * 1. finds the given message and those of the given channel (`wanted`), unless another worker has taken over the turn
 *    (`turn`);
 * 2. locks them, accounts first, and finds out which of them may have been posted (`ending`);
 * 3. records how and why they ended (`ended`), releases their reservations (`given`), and returns them.
 */
export function endSql(
  { messageId = '', channelId = '', isUnreserved = false, answeredSince, holds = Prisma.sql`true` }: Ending,
  state: 'failed' | 'held',
  reason: string,
): Prisma.Sql {
  return Prisma.sql`
    with wanted as (
      select id, at, account_id from message
      where id = nullif(${messageId}::text, '')::uuid and state = 'waiting'
      union
      select id, at, account_id from message
      where target_id = ${channelId}::text and state = 'waiting'
        and (not ${isUnreserved}::boolean or (usage_period_start is null and kind not in ('edit', 'notice')
          and (kind <> 'counter' or tried_at is null)))
    ), turn as (
      select 1 where ${holds}
    ), ending as (
      select m.id, m.at, m.account_id, m.usage_period_start as start,
        ${state}::text = 'failed' and m.tried_at < coalesce(${answeredSince ?? null}::timestamptz, 'infinity') as may_be_posted
      from turn cross join wanted join account a on a.id = wanted.account_id
      join message m on m.id = wanted.id and m.at = wanted.at and m.account_id ${sameAs('a.id')} and m.state = 'waiting'
      order by a.id, m.id for key share of a for update of m
    ), ended as (
      ${endLockedSql({ state, reason, triedId: messageId })} returning m.id, coalesce(m.tried_at, now()) as at
    ), given as (
      ${releaseReservationsSql('ending')}
    )
    select id, at from ended`;
}
