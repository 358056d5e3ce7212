import type { CardKey } from '../cards';
import type { StoredCustomer, StoredSubscription } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toSubscription } from '../to-api';
import { charge } from './invoice';

export const isOver = ({ status }: StoredSubscription) => ['canceled', 'incomplete_expired'].includes(status);

/** Cancels a subscription at once. */
export function cancelNow(world: StripeWorld, subscription: StoredSubscription): void {
  const now = world.now();
  const { canceledAt } = subscription;
  Object.assign(subscription, {
    status: 'canceled',
    canceledAt: canceledAt ?? now,
    endedAt: now,
    retryAt: null,
  });
  for (const invoice of world.invoicesOf(subscription.customerId)) {
    if (invoice.subscriptionId === subscription.id && invoice.status === 'open') invoice.status = 'void';
  }
  world.emit('customer.subscription.deleted', toSubscription(subscription));
}

/**
 * Gives a subscription another status: it waits for its first payment, begins with it, ends without it, or an operator
 * pauses it.
 */
export const become =
  (status: 'incomplete' | 'active' | 'incomplete_expired' | 'paused') =>
  (world: StripeWorld, subscription: StoredSubscription): void => {
    Object.assign(subscription, { status, endedAt: status === 'incomplete_expired' ? world.now() : null });
    world.emit('customer.subscription.updated', toSubscription(subscription));
  };

/** Cancels a subscription at the end of its period, in the form that the settings choose. */
export function cancelAtPeriodEnd(world: StripeWorld, subscription: StoredSubscription): void {
  const isFlag = world.state.settings.cancelsBy === 'cancel_at_period_end';
  subscription.cancelAtPeriodEnd = isFlag;
  subscription.cancelAt = subscription.periodEnd;
  subscription.canceledAt = world.now();
  world.emit('customer.subscription.updated', toSubscription(subscription));
}

/** Revokes a cancellation at the period's end. */
export function resume(world: StripeWorld, subscription: StoredSubscription): void {
  Object.assign(subscription, { cancelAtPeriodEnd: false, cancelAt: null, canceledAt: null });
  world.emit('customer.subscription.updated', toSubscription(subscription));
}

/** Charges another card from now on, and any unpaid amount at once. */
export function switchCard(world: StripeWorld, customer: StoredCustomer, card: CardKey): void {
  customer.card = card;
  for (const subscription of world.subscriptionsOf(customer.id)) {
    if (subscription.status === 'past_due') payOpenInvoice(world, subscription);
  }
  world.save();
}

/** Tries again to charge the unpaid amount. Returns true if that succeeds. */
export function payOpenInvoice(world: StripeWorld, subscription: StoredSubscription): boolean {
  const invoice = world.state.invoices[subscription.latestInvoiceId];
  if (invoice?.status !== 'open' || !charge(world, invoice)) return false;
  Object.assign(subscription, { status: 'active', retryAt: null });
  world.emit('customer.subscription.updated', toSubscription(subscription));
  return true;
}

/** Deletes a customer, which cancels all their subscriptions. */
export function deleteCustomer(world: StripeWorld, customer: StoredCustomer): void {
  for (const subscription of world.subscriptionsOf(customer.id)) {
    if (!isOver(subscription)) cancelNow(world, subscription);
  }
  Object.assign(customer, { isDeleted: true, email: null, name: null, description: null, card: null });
  world.emit('customer.deleted', { id: customer.id, object: 'customer', livemode: false });
}
