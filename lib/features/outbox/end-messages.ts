import { Prisma, runStatement, type Transaction } from '@/lib/db/database';
import { giveBackPlacesSql } from '../billing/quota';
import type { ChannelTurn } from './claim-channels';
import { wakeChannelsSql } from './queue-messages';

interface Ending {
  /** The message that was tried. */
  messageId?: string;
  /** Besides it, every one that waits for this channel. */
  channelId?: string;
  /** Of those, only the posts that have no place in a period. */
  withoutPlace?: boolean;
  /** What was first tried after this was refused or not sent; what was tried before may be posted. Absent means now. */
  answeredSince?: Date;
  /** Nothing is ended once this turn is somebody else's. */
  during?: Pick<ChannelTurn, 'channelId' | 'leasedUntil'>;
}

/**
 * Ends waiting messages as failed for good or held, and gives their places back: they were not sent. One that may
 * have been posted, though its answer was lost, keeps since when, and is looked for when it is sent again. Whoever ends
 * more than a message of their own has the channel's turn, so that none of them is on its way. Locked from the account
 * down, as whoever deletes the account does.
 */
export async function endMessages(
  { messageId = '', channelId = '', withoutPlace = false, answeredSince, during }: Ending,
  state: 'failed' | 'held',
  reason: string,
): Promise<void> {
  await runStatement(Prisma.sql`
    with wanted as (
      select id, at, account_id from message
      where id = nullif(${messageId}::text, '')::uuid and state = 'waiting'
      union
      select id, at, account_id from message
      where target_id = ${channelId}::text and state = 'waiting'
        and (not ${withoutPlace}::boolean or (usage_period_start is null and kind <> 'edit'))
    ), turn as (
      select 1 where ${during?.channelId ?? null}::text is null or exists (
        select 1 from channel_turn
        where channel_id = ${during?.channelId ?? null}::text and leased_until = ${during?.leasedUntil ?? null}::timestamptz)
    ), ending as (
      select m.id, m.at, m.account_id, m.usage_period_start as start,
        ${state}::text = 'failed' and m.tried_at < coalesce(${answeredSince}::timestamptz, 'infinity') as may_be_posted
      from turn cross join wanted join account a on a.id = wanted.account_id
      join message m on m.id = wanted.id and m.at = wanted.at and m.state = 'waiting'
      order by a.id, m.id for key share of a for update of m
    ), ended as (
      update message m set state = ${state}::message_state, reason = ${reason}::text,
        tried_at = case when ending.may_be_posted then m.tried_at end, finished_at = now(), not_before = null,
        usage_period_start = null, attempts = attempts + case when m.id::text = ${messageId}::text then 1 else 0 end
      from ending where m.id = ending.id and m.at = ending.at
    )
    ${giveBackPlacesSql('ending')}`);
}

/**
 * Lets go of what is to be sent for sources that the transaction is about to delete. What waits, or is kept back, goes with
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
