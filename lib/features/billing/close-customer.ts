import type { z } from 'zod';
import type { Transaction } from '@/lib/db/database';
import { deleteCustomer, expireCheckout, listCheckouts } from '@/lib/integrations/stripe/stripe-checkout';
import { cancelSubscription, listSubscriptions } from '@/lib/integrations/stripe/stripe-subscriptions';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { openId, sealedIdPayload, sealId } from '@/lib/queue/hashed-id';
import { isCharged } from './choose-subscription';

const NAME = 'close-customer';

export const closeCustomerJob = defineJob({
  name: NAME,
  payload: sealedIdPayload(NAME, 'customerId'),
  key: ['hidden'],
  queue: null,
});

/** Enqueues the end of everything that a customer has at Stripe: of a deleted account, or one made in vain. */
export async function enqueueCustomerClosing(tx: Transaction, customerId: string): Promise<void> {
  await enqueue(tx, closeCustomerJob, sealId(NAME, customerId), { accountId: null });
}

/**
 * Cancels a customer's subscriptions and deletes it at Stripe. Throws errors that are worth a retry.
 */
export async function closeCustomer(customer: z.infer<typeof closeCustomerJob.payload>): Promise<void> {
  const customerId = openId(NAME, customer);
  const subscriptions = await listSubscriptions(customerId);
  for (const { id } of subscriptions.filter(isCharged)) await cancelSubscription(id);
  for (const { id } of (await listCheckouts(customerId)).open) await expireCheckout(id);
  await deleteCustomer(customerId);
}
