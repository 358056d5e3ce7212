import { Prisma, runStatement, type Transaction } from '@/lib/db/database';
import { giveBackPlacesSql } from '../billing/quota';
import { type Ending, endSql } from './end-sql';
import { wakeChannelsSql } from './queue-messages';

/**
 * Ends waiting messages as failed for good or held, and gives their places back: they were not sent. One that may
 * have been posted, though its answer was lost, keeps since when, and is looked for when it is sent again. Whoever ends
 * more than a message of their own has the channel's turn, so that none of them is on its way. Locked from the account
 * down, as whoever deletes the account does.
 */
export async function endMessages(which: Ending, state: 'failed' | 'held', reason: string): Promise<void> {
  await runStatement(endSql(which, state, reason));
}

/**
 * Lets go of what is to be sent for sources that the transaction has deleted: after that nobody can queue more for them,
 * and what was queued until then is seen here. What waits, or is kept back, goes with
 * them. A message that has its place in a period may be on its way: it is left without a source to whoever has the turn
 * of its channel, who counts it when Discord has confirmed it and otherwise drops it. What was held or has failed is
 * emptied, for nobody can look at it any more.
 */
export async function dropMessages(tx: Transaction, sourceIds: string[]): Promise<void> {
  await tx.$executeRaw`
    delete from message where source_id = any(${sourceIds}::uuid[])
      and state in ('waiting', 'kept') and usage_period_start is null`;
  await tx.$executeRaw`
    with left_over as (
      update message set source_id = null, sealed_body = case when state = 'waiting' then sealed_body end
      where source_id = any(${sourceIds}::uuid[]) and state in ('waiting', 'held', 'failed')
      returning target_id, account_id, state
    )
    ${wakeChannelsSql(Prisma.sql`select target_id, account_id from left_over where state = 'waiting'`)}`;
}

/** Deletes waiting messages whose sources are gone and gives their places back. */
export async function dropOrphans(messages: { id: string; at: Date }[]): Promise<void> {
  await runStatement(Prisma.sql`
    with orphan as (
      select m.id, m.at, m.account_id, m.usage_period_start as start
      from unnest(${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ at }) => at)}::timestamptz[])
        as o (id, at)
      join message m on m.id = o.id and m.at = o.at and m.state = 'waiting' and m.source_id is null
      join account a on a.id = m.account_id
      order by a.id, m.id for key share of a for update of m
    ), dropped as (
      delete from message m using orphan where m.id = orphan.id and m.at = orphan.at
    )
    ${giveBackPlacesSql('orphan')}`);
}
