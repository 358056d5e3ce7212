import { z } from 'zod';
import { env } from '@/lib/env';

export interface StripeEvent {
  id: string;
  type: string;
  customerId: string;
}

/**
 * The events that Stripe should send. Any of them may come first or alone; each only says that there is news to read.
 */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'customer.deleted',
];

/** Whether a secret key is one of the live mode. */
export const isLiveKey = (key: string) => /^(sk|rk)_live_/.test(key);

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();
const eventSchema = z.object({
  id: z.string().min(1).max(255),
  object: z.literal('event'),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.object({ id: z.string(), customer: reference }) }),
});

/**
 * The event in a signed body; null if it is of another type, is not about a customer, or belongs to the other mode (live
 * or test).
 */
export function toStripeEvent(body: unknown): StripeEvent | null {
  const event = eventSchema.safeParse(body).data;
  if (!event || !STRIPE_EVENTS.includes(event.type)) return null;
  if (event.livemode !== isLiveKey(env().STRIPE_SECRET_KEY)) return null;
  const { object } = event.data;
  const customerId = event.type === 'customer.deleted' ? object.id : object.customer;
  return customerId ? { id: event.id, type: event.type, customerId } : null;
}
