import type Stripe from 'stripe';
import { env } from '@/lib/env';
import { SECOND_MS } from '@/lib/time';
import { isMissingAtStripe, stripe } from './stripe-client';

/** The terms that the version of Stripe's API has for which the package is made. */
export type KnownStatus = Stripe.Subscription.Status;

export interface StripeSubscription {
  id: string;
  /** Stripe's own term; later versions of the API may add more. */
  status: string;
  createdAt: Date;
  /** Whether it has the configured price, or our checkout opened it; the customer may have bought something else. */
  isOfPlan: boolean;
  periodStart: Date | null;
  periodEnd: Date | null;
  /** When it ends for good; null while it renews. */
  cancelsAt: Date | null;
  trialEndsAt: Date | null;
  /** When it ended for good; null until then. */
  endedAt: Date | null;
  /** The account that our checkout wrote on it; null if it was created elsewhere. */
  accountId: string | null;
}

/** Metadata that our checkout puts on the plan's subscriptions; it identifies them even after the price changes. */
export const PLAN_MARK = { plan: 'starter' };

const PAGE_SIZE = 100;

/** Every subscription that a customer has or had; empty for a customer that does not exist. Throws Stripe's errors. */
export async function listSubscriptions(customerId: string): Promise<StripeSubscription[]> {
  const found: StripeSubscription[] = [];
  try {
    const all = stripe().subscriptions.list({ customer: customerId, status: 'all', limit: PAGE_SIZE });
    for await (const each of all) found.push(toSubscription(each));
  } catch (error) {
    if (!isMissingAtStripe(error)) throw error;
  }
  return found;
}

/** Cancels a subscription at once, crediting the rest of its period. One that no longer exists counts as cancelled. */
export async function cancelSubscription(id: string): Promise<void> {
  await stripe()
    .subscriptions.cancel(id, { prorate: true, invoice_now: true })
    .catch((error) => {
      if (!isMissingAtStripe(error)) throw error;
    });
}

function toSubscription(from: Stripe.Subscription): StripeSubscription {
  const ofPlan = from.items.data.filter(({ price }) => price.id === env().STRIPE_PRICE_ID);
  const items = ofPlan.length > 0 ? ofPlan : from.items.data;
  const { current_period_start: start, current_period_end: end } = from as Former;
  const periodEnd = toDate(earliest(items.map((item: Former) => item.current_period_end ?? end)));
  return {
    id: from.id,
    status: from.status,
    createdAt: new Date(from.created * SECOND_MS),
    isOfPlan: ofPlan.length > 0 || from.metadata?.['plan'] === PLAN_MARK.plan,
    periodStart: toDate(earliest(items.map((item: Former) => item.current_period_start ?? start))),
    periodEnd,
    // Depending on the billing mode, a cancellation shows as a date, as a flag, or as both.
    cancelsAt: toDate(from.cancel_at) ?? (from.cancel_at_period_end ? periodEnd : null),
    trialEndsAt: toDate(from.trial_end),
    endedAt: toDate(from.ended_at),
    accountId: from.metadata?.['accountId'] ?? null,
  };
}

/** Before 2025 the period stood on the subscription: https://docs.stripe.com/changelog/basil */
interface Former {
  current_period_start?: number;
  current_period_end?: number;
}

function earliest(times: (number | undefined)[]): number | null {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : null;
}

function toDate(seconds: number | null | undefined): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * SECOND_MS) : null;
}
