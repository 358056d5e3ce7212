import type Stripe from 'stripe';
import type { SandboxContext } from '../context';
import type { Slice } from '../store';
import type { CardKey } from './cards';

export interface StoredCustomer {
  id: string;
  email: string | null;
  name: string | null;
  description: string | null;
  metadata: Record<string, string>;
  created: number;
  isDeleted: boolean;
  /** The card that is charged; null before the first checkout. */
  card: CardKey | null;
}

/** Times are Unix seconds, as in Stripe's own objects. */
export interface StoredSubscription {
  id: string;
  itemId: string;
  customerId: string;
  priceId: string;
  /** The prices of the items after the first. */
  morePriceIds?: string[];
  status: Stripe.Subscription.Status;
  created: number;
  /** Every period ends on the anchor's day and time, or on the last day of a shorter month. */
  anchor: number;
  periodStart: number;
  periodEnd: number;
  cancelAtPeriodEnd: boolean;
  cancelAt: number | null;
  canceledAt: number | null;
  endedAt: number | null;
  trialStart: number | null;
  trialEnd: number | null;
  /** Whether the notice three days before the trial's end has gone out. */
  trialEndAnnounced: boolean;
  metadata: Record<string, string>;
  latestInvoiceId: string;
  /** When the failed payment is retried; null while nothing is unpaid. */
  retryAt: number | null;
}

export interface StoredInvoice {
  id: string;
  number: string;
  customerId: string;
  subscriptionId: string;
  status: 'paid' | 'open' | 'void';
  amount: number;
  created: number;
  periodStart: number;
  periodEnd: number;
  attempts: number;
  metadata: Record<string, string>;
}

export interface StoredSession {
  id: string;
  customerId: string | null;
  customerEmail: string | null;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  priceId: string;
  morePriceIds?: string[];
  successUrl: string;
  cancelUrl: string | null;
  clientReferenceId: string | null;
  metadata: Record<string, string>;
  subscriptionMetadata: Record<string, string>;
  trialEnd: number | null;
  trialPeriodDays: number | null;
  subscriptionId: string | null;
  created: number;
  expiresAt: number;
}

export interface StoredPortal {
  id: string;
  customerId: string;
  returnUrl: string | null;
  created: number;
  expiresAt: number;
}

interface StoredAnswer {
  fingerprint: string;
  /** null while the first call is still running. */
  answer: { status: number; body: string } | null;
}

export interface StoredEndpoint {
  id: string;
  url: string;
  status: 'enabled' | 'disabled';
  apiVersion: string | null;
  events: string[];
}

export interface WebhookEvent {
  payload: {
    id: string;
    object: 'event';
    api_version: string;
    created: number;
    livemode: false;
    pending_webhooks: number;
    request: null;
    type: string;
    data: { object: object; previous_attributes?: object };
  };
  state: 'waiting' | 'sending' | 'held' | 'sent' | 'failed' | 'dropped';
  faultDrawn: boolean;
  /** How many more times to send it although it was accepted. */
  repeats: number;
  tries: number;
  dueAtMs: number;
  answers: (number | string)[];
}

export interface StripeState {
  lastNumber: number;
  customers: Record<string, StoredCustomer>;
  subscriptions: Record<string, StoredSubscription>;
  invoices: Record<string, StoredInvoice>;
  sessions: Record<string, StoredSession>;
  portals: Record<string, StoredPortal>;
  idempotency: Record<string, StoredAnswer>;
  events: WebhookEvent[];
  settings: StripeSettings;
  /** Absent means an endpoint that receives every event. */
  endpoints?: StoredEndpoint[];
  /** Whether nobody has saved the settings of the customer portal yet; absent means no. */
  isPortalUnsaved?: boolean;
  /** Overrides of the plan's price. */
  price?: Partial<Pick<Stripe.Price, 'active' | 'currency' | 'type' | 'unit_amount'>> & {
    interval?: 'month' | 'year';
  };
}

interface StripeSettings {
  /** The wait before a webhook's second attempt; it doubles with every further one. */
  retryBaseMs: number;
  /** How a cancellation at the period's end shows: both forms occur, depending on the subscription's billing mode. */
  cancelsBy: 'cancel_at_period_end' | 'cancel_at';
}

export function stripeState(context: SandboxContext): Slice<StripeState> {
  return context.store.slice<StripeState>('stripe', () => ({
    lastNumber: 0,
    customers: {},
    subscriptions: {},
    invoices: {},
    sessions: {},
    portals: {},
    idempotency: {},
    events: [],
    settings: { retryBaseMs: 2000, cancelsBy: 'cancel_at_period_end' },
  }));
}
