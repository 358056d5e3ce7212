import { db } from '@/lib/db/database';

interface Ending {
  /** The message that was tried. */
  deliveryId?: string;
  /** Besides it, every one that waits for this channel and has no place in a period yet. */
  channelId?: string;
  /** Only of this account. */
  accountId?: string;
}

/**
 * Ends waiting messages as failed for good or held, and gives the place of the one that was tried back: it was
 * not sent. What another worker is just sending is left to that worker. Locked from the account down, as whoever
 * deletes the account does.
 */
export async function endDeliveries(ending: Ending, state: 'failed' | 'held', reason: string): Promise<void> {
  const { deliveryId = null, channelId = null, accountId = null } = ending;
  await db().$executeRaw`
    with ending as (
      select d.id, d.account_id, d.usage_period_start as start
      from account a join delivery d on d.account_id = a.id
      where d.state = 'waiting' and (${accountId}::uuid is null or d.account_id = ${accountId}::uuid)
        and (d.id = ${deliveryId}::uuid or (d.channel_id = ${channelId} and d.usage_period_start is null))
      for key share of a for update of d
    ), ended as (
      update delivery set state = ${state}, reason = ${reason}, finished_at = now(), next_try_at = null,
        usage_period_start = null, attempts = attempts + case when id = ${deliveryId}::uuid then 1 else 0 end
      where id in (select id from ending)
    )
    update usage_period p set reserved = reserved - freed.places
    from (select account_id, start, count(*)::int as places from ending where start is not null group by 1, 2) freed
    where p.account_id = freed.account_id and p.starts_at = freed.start`;
}
