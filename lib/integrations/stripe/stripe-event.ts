import { z } from 'zod';
import { env } from '@/lib/env';
import { isStorable } from '@/lib/storable';

export interface StripeEvent {
  id: string;
  type: string;
  customerId: string;
  /** The account that our checkout wrote on its object; null if it names none. */
  accountId: string | null;
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

const id = z.string().min(1).max(255).refine(isStorable);
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish();
// Not `client_reference_id`: whoever opens a payment link chooses that.
const marked = z
  .object({ accountId: z.uuid() })
  .nullish()
  .catch(null)
  .transform((metadata) => metadata?.accountId);
const eventSchema = z.object({
  id,
  object: z.literal('event'),
  type: z.string(),
  livemode: z.boolean().optional(),
  data: z.object({
    object: z.object({
      id,
      customer: reference,
      metadata: marked,
    }),
  }),
});

/**
 * The event in a signed body; null if it is of another type, is not about a customer, or belongs to the other mode (live
 * or test).
 */
export function toStripeEvent(body: unknown): StripeEvent | null {
  const event = eventSchema.safeParse(body).data;
  if (!event || !STRIPE_EVENTS.includes(event.type)) return null;
  const isLive = isLiveKey(env().STRIPE_SECRET_KEY);
  if ((event.livemode ?? isLive) !== isLive) return null;
  const { id, type } = event;
  const { object } = event.data;
  if (type === 'customer.deleted') return { id, type, customerId: object.id, accountId: null };
  const accountId = object.metadata ?? null;
  return object.customer ? { id, type, customerId: object.customer, accountId } : null;
}
