import { Prisma, runStatement, type Transaction } from '@/lib/db/database';
import { enqueueForgetting } from '../deliveries/forget-details';
import type { ChannelTurn } from './channel-turns';
import { wakeChannelsSql } from './wake-channels';

const MAY_BE_POSTED = ' The card may have been posted.';

interface Ending {
  /** The message that was tried. */
  deliveryId?: string;
  /** Besides it, every one that waits for this channel. */
  channelId?: string;
  /** Of those, only the ones that have no place in a period. */
  withoutPlace?: boolean;
  /** What was first tried after this was refused or not sent; what was tried before may be posted. Absent means now. */
  answeredSince?: Date;
  /** Nothing is ended once this turn is somebody else's. */
  during?: Pick<ChannelTurn, 'channelId' | 'leasedUntil'>;
}

/**
 * Ends waiting messages as failed for good or held, and gives their places back: they were not sent. One that may
 * have been posted, though its answer was lost, says so, and is looked for when it is sent again. Whoever ends more
 * than a message of their own has the channel's turn, so that none of them is on its way. Locked from the account
 * down, as whoever deletes the account does.
 */
export async function endDeliveries(
  { deliveryId = '', channelId = '', withoutPlace = false, answeredSince, during }: Ending,
  state: 'failed' | 'held',
  reason: string,
): Promise<void> {
  await runStatement(Prisma.sql`
    with wanted as (
      select id, event_at, account_id from delivery
      where id = nullif(${deliveryId}::text, '')::uuid and state = 'waiting'
      union
      select id, event_at, account_id from delivery
      where channel_id = ${channelId}::text and state = 'waiting'
        and (usage_period_start is null or not ${withoutPlace}::boolean)
    ), turn as (
      select 1 where ${during?.channelId ?? null}::text is null or exists (
        select 1 from channel_turn
        where channel_id = ${during?.channelId ?? null}::text and leased_until = ${during?.leasedUntil ?? null}::timestamptz)
    ), ending as (
      select d.id, d.event_at, d.account_id, d.usage_period_start as start,
        ${state}::text = 'failed' and d.tried_at < coalesce(${answeredSince}::timestamptz, 'infinity') as may_be_posted
      from turn cross join wanted join account a on a.id = wanted.account_id
      join delivery d on d.id = wanted.id and d.event_at = wanted.event_at and d.state = 'waiting'
      order by a.id, d.id for key share of a for update of d
    ), ended as (
      update delivery d set state = ${state}::text,
        reason = ${reason}::text || case when ending.may_be_posted then ${MAY_BE_POSTED}::text else '' end,
        tried_at = case when ending.may_be_posted then d.tried_at end, finished_at = now(), next_try_at = null,
        usage_period_start = null, attempts = attempts + case when d.id::text = ${deliveryId}::text then 1 else 0 end
      from ending where d.id = ending.id and d.event_at = ending.event_at
    )
    ${giveBack('ending')}`);
}

/**
 * Deletes what still waits to be sent or to settle under the rules that the transaction is about to delete. A
 * card that has its place in a period may be on its way: it is left without a rule to whoever has the turn of
 * its channel, who counts it when Discord has confirmed it and otherwise drops it. What the rules told is emptied by
 * a job.
 */
export async function dropUnsent(tx: Transaction, rules: { id: string }[]): Promise<void> {
  const ruleIds = rules.map(({ id }) => id);
  await tx.$executeRaw`
    delete from delivery where rule_id = any(${ruleIds}::uuid[])
      and (state = 'settling' or (state = 'waiting' and usage_period_start is null))`;
  await enqueueForgetting(tx);
  await tx.$executeRaw(
    wakeChannelsSql(Prisma.sql`
      select channel_id, account_id from delivery where rule_id = any(${ruleIds}::uuid[]) and state = 'waiting'`),
  );
}

/** Deletes waiting cards whose rules are gone and gives their places back. */
export async function dropOrphans(cards: { id: string; eventAt: Date }[]): Promise<void> {
  await runStatement(Prisma.sql`
    with orphan as (
      select d.id, d.event_at, d.account_id, d.usage_period_start as start
      from unnest(${cards.map(({ id }) => id)}::uuid[], ${cards.map(({ eventAt }) => eventAt)}::timestamptz[])
        as c (id, event_at)
      join delivery d on d.id = c.id and d.event_at = c.event_at and d.state = 'waiting' and d.rule_id is null
      join account a on a.id = d.account_id
      order by a.id, d.id for key share of a for update of d
    ), dropped as (
      delete from delivery d using orphan where d.id = orphan.id and d.event_at = orphan.event_at
    )
    ${giveBack('orphan')}`);
}

/** The end of a statement: the places of the named messages are free again. */
function giveBack(messages: 'ending' | 'orphan'): Prisma.Sql {
  return Prisma.sql`
    update usage_period p set reserved = p.reserved - freed.places
    from (select account_id, start, count(*)::int as places from ${Prisma.raw(messages)}
      where start is not null group by 1, 2) freed
    where p.account_id = freed.account_id and p.starts_at = freed.start`;
}
