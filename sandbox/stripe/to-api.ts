import type Stripe from 'stripe';
import { AMOUNT_CENTS, CURRENCY, OTHER_PRICE_ID, OTHER_PRODUCT_ID, PRODUCT_ID } from './starter-price';
import type {
  StoredCustomer,
  StoredInvoice,
  StoredPortal,
  StoredSession,
  StoredSubscription,
} from './stripe-state';

type Fields<T, K extends keyof T> = Pick<T, K>;

export function toCustomer(
  stored: StoredCustomer,
): Fields<
  Stripe.Customer,
  'id' | 'object' | 'created' | 'description' | 'email' | 'livemode' | 'metadata' | 'name'
> {
  const { id, created, description, email, metadata, name } = stored;
  return { id, object: 'customer', created, description, email, livemode: false, metadata, name };
}

type ApiSubscription = Fields<
  Stripe.Subscription,
  | 'id'
  | 'object'
  | 'billing_cycle_anchor'
  | 'cancel_at'
  | 'cancel_at_period_end'
  | 'canceled_at'
  | 'collection_method'
  | 'created'
  | 'currency'
  | 'customer'
  | 'ended_at'
  | 'latest_invoice'
  | 'livemode'
  | 'metadata'
  | 'start_date'
  | 'status'
  | 'trial_end'
  | 'trial_start'
> & { items: { object: 'list'; data: object[]; has_more: false; url: string } };

export function toSubscription(stored: StoredSubscription): ApiSubscription {
  return {
    id: stored.id,
    object: 'subscription',
    billing_cycle_anchor: stored.anchor,
    cancel_at: stored.cancelAt,
    cancel_at_period_end: stored.cancelAtPeriodEnd,
    canceled_at: stored.canceledAt,
    collection_method: 'charge_automatically',
    created: stored.created,
    currency: CURRENCY,
    customer: stored.customerId,
    ended_at: stored.endedAt,
    items: {
      object: 'list',
      data: [stored.priceId, ...(stored.morePriceIds ?? [])].map((priceId, index) =>
        toItem(stored, priceId, index),
      ),
      has_more: false,
      url: `/v1/subscription_items?subscription=${stored.id}`,
    },
    latest_invoice: stored.latestInvoiceId,
    livemode: false,
    metadata: stored.metadata,
    start_date: stored.created,
    status: stored.status,
    trial_end: stored.trialEnd,
    trial_start: stored.trialStart,
  };
}

const WEEK_SECONDS = 604_800;

function toItem(stored: StoredSubscription, priceId: string, index: number) {
  return {
    id: index === 0 ? stored.itemId : `${stored.itemId}_${index}`,
    object: 'subscription_item',
    created: stored.created,
    current_period_end: priceId === OTHER_PRICE_ID ? stored.periodStart + WEEK_SECONDS : stored.periodEnd,
    current_period_start: stored.periodStart,
    metadata: {},
    price: toPrice(priceId),
    quantity: 1,
    subscription: stored.id,
  };
}

export function toPrice(
  id: string,
): Fields<
  Stripe.Price,
  'id' | 'object' | 'active' | 'currency' | 'livemode' | 'product' | 'type' | 'unit_amount'
> & { recurring: { interval: 'month' | 'week'; interval_count: 1 } } {
  return {
    id,
    object: 'price',
    active: true,
    currency: CURRENCY,
    livemode: false,
    product: id === OTHER_PRICE_ID ? OTHER_PRODUCT_ID : PRODUCT_ID,
    recurring: { interval: id === OTHER_PRICE_ID ? 'week' : 'month', interval_count: 1 },
    type: 'recurring',
    unit_amount: AMOUNT_CENTS,
  };
}

type ApiSession = Fields<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'cancel_url'
  | 'client_reference_id'
  | 'created'
  | 'customer'
  | 'customer_email'
  | 'expires_at'
  | 'livemode'
  | 'metadata'
  | 'mode'
  | 'payment_status'
  | 'status'
  | 'subscription'
  | 'success_url'
  | 'url'
>;

/** `origin` is that of the payment page; a session that is over has none. */
export function toSession(stored: StoredSession, origin: string): ApiSession {
  return {
    id: stored.id,
    object: 'checkout.session',
    cancel_url: stored.cancelUrl,
    client_reference_id: stored.clientReferenceId,
    created: stored.created,
    customer: stored.customerId,
    customer_email: stored.customerEmail,
    expires_at: stored.expiresAt,
    livemode: false,
    metadata: stored.metadata,
    mode: 'subscription',
    payment_status: stored.paymentStatus,
    status: stored.status,
    subscription: stored.subscriptionId,
    success_url: stored.successUrl,
    url: stored.status === 'open' ? `${origin}/pay/${stored.id}` : null,
  };
}

export function toPortal(
  stored: StoredPortal,
  origin: string,
): Fields<
  Stripe.BillingPortal.Session,
  'id' | 'object' | 'created' | 'customer' | 'livemode' | 'return_url' | 'url'
> {
  return {
    id: stored.id,
    object: 'billing_portal.session',
    created: stored.created,
    customer: stored.customerId,
    livemode: false,
    return_url: stored.returnUrl,
    url: `${origin}/portal/${stored.id}`,
  };
}

export function toInvoice(stored: StoredInvoice) {
  const isPaid = stored.status === 'paid';
  return {
    id: stored.id,
    object: 'invoice',
    amount_due: stored.amount,
    amount_paid: isPaid ? stored.amount : 0,
    attempt_count: stored.attempts,
    created: stored.created,
    currency: CURRENCY,
    customer: stored.customerId,
    livemode: false,
    number: stored.number,
    parent: {
      type: 'subscription_details',
      quote_details: null,
      subscription_details: { subscription: stored.subscriptionId, metadata: stored.metadata },
    },
    period_end: stored.periodEnd,
    period_start: stored.periodStart,
    status: stored.status,
  };
}
