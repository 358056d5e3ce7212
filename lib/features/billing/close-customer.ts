import type { Transaction } from '@/lib/db/database';
import { deleteCustomer, expireCheckout, listCheckouts } from '@/lib/integrations/stripe/stripe-checkout';
import { cancelSubscription, listSubscriptions } from '@/lib/integrations/stripe/stripe-subscriptions';
import { enqueue } from '@/lib/queue/enqueue';
import { hiddenId } from '@/lib/queue/hidden-id';
import { isCharged } from './choose-subscription';

/** Has a job end everything that a customer has at Stripe; the transaction deletes their account. */
export async function enqueueCustomerClosing(tx: Transaction, customerId: string): Promise<void> {
  const key = closingJobKey(customerId);
  await enqueue(tx, { name: 'close-customer', payload: { customerId }, key, queue: null });
}

export const closingJobKey = (customerId: string) => `close-customer:${hiddenId(customerId)}`;

/** Cancels a deleted account's subscriptions and forgets its customer. Throws what is worth a retry. */
export async function closeCustomer(customerId: string): Promise<void> {
  const subscriptions = await listSubscriptions(customerId);
  for (const { id } of subscriptions.filter(isCharged)) await cancelSubscription(id);
  for (const { id } of (await listCheckouts(customerId)).open) await expireCheckout(id);
  await deleteCustomer(customerId);
}
