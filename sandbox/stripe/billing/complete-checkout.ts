import { nextPeriodEnd } from '../billing-month';
import type { CardKey } from '../cards';
import type { StoredCustomer, StoredSession, StoredSubscription } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toCustomer, toSession, toSubscription } from '../to-api';
import { addInvoice, charge } from './invoice';

const DAY_SECONDS = 86_400;

/** Why a session cannot be paid; null when it can. */
export function whyClosed(world: StripeWorld, session: StoredSession): string | null {
  if (session.status === 'complete') return 'This checkout has already been paid.';
  if (session.status === 'expired' || session.expiresAt <= world.now()) return 'This checkout has expired.';
  if (session.customerId && world.state.customers[session.customerId]?.isDeleted)
    return 'This customer no longer exists.';
  return null;
}

/** Pays an open session with a card. Returns false if the card is declined: the session stays open. */
export function completeCheckout(world: StripeWorld, session: StoredSession, card: CardKey): boolean {
  if (card === 'declined') return false;
  const customer = customerOf(world, session);
  customer.card = card;
  const subscription = subscribe(world, session, customer);
  const { subscriptionId } = Object.assign(session, {
    status: 'complete',
    customerId: customer.id,
    subscriptionId: subscription.id,
    paymentStatus: subscription.status === 'trialing' ? 'no_payment_required' : 'paid',
  });
  world.state.subscriptions[subscriptionId] = subscription;
  world.emit('customer.subscription.created', toSubscription(subscription));
  const isTrial = subscription.status === 'trialing';
  const invoice = addInvoice(world, subscription, isTrial ? 0 : undefined);
  if (!isTrial) charge(world, invoice, true);
  world.emit('checkout.session.completed', toSession(session, world.context.urls.stripe));
  world.save();
  return true;
}

/** Ends an open session without payment. */
export function expireSession(world: StripeWorld, session: StoredSession): void {
  session.status = 'expired';
  world.emit('checkout.session.expired', toSession(session, world.context.urls.stripe));
}

function customerOf(world: StripeWorld, session: StoredSession): StoredCustomer {
  const known = session.customerId && world.state.customers[session.customerId];
  if (known) return known;
  const customer: StoredCustomer = {
    id: world.newId('cus'),
    email: session.customerEmail,
    name: null,
    description: null,
    metadata: {},
    created: world.now(),
    isDeleted: false,
    card: null,
  };
  world.state.customers[customer.id] = customer;
  world.emit('customer.created', toCustomer(customer));
  return customer;
}

function subscribe(world: StripeWorld, session: StoredSession, customer: StoredCustomer): StoredSubscription {
  const now = world.now();
  const trialEnd =
    session.trialEnd ?? (session.trialPeriodDays ? now + session.trialPeriodDays * DAY_SECONDS : null);
  const anchor = trialEnd ?? now;
  return {
    id: world.newId('sub'),
    itemId: world.newId('si'),
    customerId: customer.id,
    priceId: session.priceId,
    morePriceIds: session.morePriceIds,
    status: trialEnd ? 'trialing' : 'active',
    created: now,
    anchor,
    periodStart: now,
    periodEnd: trialEnd ?? nextPeriodEnd(anchor, now),
    cancelAtPeriodEnd: false,
    cancelAt: null,
    canceledAt: null,
    endedAt: null,
    trialStart: trialEnd ? now : null,
    trialEnd,
    trialEndAnnounced: false,
    metadata: session.subscriptionMetadata,
    latestInvoiceId: '',
    retryAt: null,
  };
}
