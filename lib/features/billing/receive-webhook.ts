import { db, Prisma } from '@/lib/db/database';
import { parseBody } from '@/lib/http/read-body';
import { toStripeEvent } from '@/lib/integrations/stripe/stripe-event';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { syncSubscriptionJob } from './sync-subscription';

/**
 * Receives a signed webhook. When this returns, the event is stored and a read of its customer is enqueued, both or
 * neither; an event that is already stored changes nothing. Events of other kinds and of unknown customers are
 * acknowledged and ignored. Throws `invalid_json`.
 */
export async function receiveStripeWebhook(raw: string): Promise<undefined> {
  const event = toStripeEvent(parseBody(raw));
  if (!event) return;
  const { id, type, customerId } = event;
  await db().$executeRaw`
    with stored as (
      insert into stripe_event (id, account_id, type)
      select ${id}, a.id, ${type} from account a where a.stripe_customer_id = ${customerId}
      on conflict do nothing
      returning account_id
    )
    ${enqueueRowsSql(syncSubscriptionJob, { payload: { accountId: Prisma.sql`account_id` }, from: Prisma.sql`stored` })}`;
}
