import { db, Prisma } from '@/lib/db/database';
import { parseBody } from '@/lib/http/read-body';
import { toStripeEvent } from '@/lib/integrations/stripe/stripe-event';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { syncSubscriptionJob } from './sync-subscription';

/**
 * Receives a signed webhook. When this returns, the event is stored and a read of its customer is enqueued, both or
 * neither; an event that is already stored changes nothing. Events of other kinds and of unknown customers are
 * acknowledged and ignored. But a customer that our checkout has named an account for becomes the one of that account
 * if it has none, as after a restore of an older backup. Throws `invalid_json`.
 */
export async function receiveStripeWebhook(raw: string): Promise<undefined> {
  const event = toStripeEvent(parseBody(raw));
  if (!event) return;
  const { id, type, customerId, accountId } = event;
  await db().$executeRaw`
    with known as (
      select id from account where stripe_customer_id = ${customerId}
    ), regained as (
      update account set stripe_customer_id = ${customerId}
      where id = ${accountId}::uuid and stripe_customer_id is null and not exists (select from known)
      returning id
    ), stored as (
      insert into stripe_event (id, account_id, type)
      select ${id}, a.id, ${type} from (table known union all table regained) a
      on conflict do nothing
      returning account_id
    )
    ${enqueueRowsSql(syncSubscriptionJob, { payload: { accountId: Prisma.sql`account_id` }, from: Prisma.sql`stored` })}`;
}
