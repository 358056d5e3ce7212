import { z } from 'zod';
import { env } from '@/lib/env';

export interface StripeEvent {
  id: string;
  type: string;
  customerId: string;
}

// Any of these may come first or alone; each only says that there is something to read.
const TYPES =
  /^(checkout\.session\.(completed|async_payment_succeeded|async_payment_failed|expired)|customer\.subscription\.(created|updated|deleted|paused|resumed|trial_will_end)|invoice\.(paid|payment_failed|payment_action_required)|customer\.deleted)$/;

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]).nullish();
const eventSchema = z.object({
  id: z.string().min(1).max(255),
  object: z.literal('event'),
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.object({ id: z.string(), customer: reference }) }),
});

/** The event in a signed body; null if it is not about a customer, or belongs to the other mode (live or test). */
export function toStripeEvent(body: unknown): StripeEvent | null {
  const event = eventSchema.safeParse(body).data;
  if (!event || !TYPES.test(event.type)) return null;
  const isLiveKey = /^(sk|rk)_live_/.test(env().STRIPE_SECRET_KEY);
  if (event.livemode !== isLiveKey) return null;
  const { object } = event.data;
  const customerId = event.type === 'customer.deleted' ? object.id : object.customer;
  return customerId ? { id: event.id, type: event.type, customerId } : null;
}
