import { db, Prisma } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/rate-limit';
import { wakeChannelsSql } from '../outbox/wake-channels';

/** Cards of one channel that may be sent again in a minute. */
const RESENDS_A_MINUTE = 10;

/**
 * Has a failed card sent again: it waits behind its channel's other cards, takes a new place in the quota, and
 * Discord is asked about its channel anew. One that may have been posted is looked for first. Throws `not_found`,
 * `conflict` for one that has not failed or has no card to send, and `rate_limited`.
 */
export async function resendDelivery(
  account: Pick<Account, 'id'>,
  ruleId: string,
  deliveryId: string,
): Promise<{ resent: true }> {
  await limitOutsideCalls(account.id);
  const spacing = Prisma.sql`interval '1 minute' / ${RESENDS_A_MINUTE}::int`;
  const [found] = await db().$queryRaw<{ may: boolean; resent: boolean; hasFailed: boolean }[]>`
    with found as (
      select d.id, d.event_at, d.channel_id, d.state = 'failed' as failed,
        d.state = 'failed' and d.sealed_message is not null as may
      from account a join delivery d on d.account_id = a.id
      where a.id = ${account.id}::uuid and d.rule_id = ${ruleId}::uuid and d.id = ${deliveryId}::uuid
      for key share of a for update of d
    ), spaced as (
      insert into rate_limit as r (key, blocked_until)
      select 'resend:' || channel_id, now() + ${spacing} from found where may
      on conflict (key) do update set blocked_until = greatest(r.blocked_until, now()) + ${spacing}
        where r.blocked_until <= now() + ${spacing} * ${RESENDS_A_MINUTE - 1}::int
      returning key
    ), resent as (
      update delivery d set state = 'waiting', reason = null, attempts = 0, finished_at = null, next_try_at = null,
        usage_period_start = null, sequence = nextval('delivery_sequence_seq')
      from found, spaced where found.may and d.id = found.id and d.event_at = found.event_at
      returning d.channel_id
    ), doubted as (
      update channel_problem set since = 'epoch' where channel_id in (select channel_id from resent)
    ), woken as (
      ${wakeChannelsSql(Prisma.sql`select channel_id, ${account.id}::uuid as account_id from resent`)}
    )
    select may, exists (select 1 from resent) as resent, failed as "hasFailed" from found`;
  if (!found) throw new AppError('not_found', 'No such delivery.');
  if (found.hasFailed && !found.may) {
    throw new AppError('conflict', 'This card is no longer kept. A card that failed is kept for 30 days.');
  }
  if (!found.may) throw new AppError('conflict', 'Only a card that failed can be sent again.');
  if (!found.resent) {
    throw new AppError(
      'rate_limited',
      `${RESENDS_A_MINUTE} cards of this channel were sent again within a minute. Try again in a few seconds.`,
    );
  }
  return { resent: true };
}
