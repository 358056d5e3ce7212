import { env } from '@/lib/env';
import { SECOND_MS } from '@/lib/time';
import { isMissingAtStripe, isNotFoundAtStripe, stripe } from './stripe-client';
import { PLAN_MARK } from './stripe-subscriptions';

interface CheckoutSession {
  id: string;
  /** The page to pay on; null once the session is over. */
  url: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Whether we opened it, for the currently configured price. */
  isOfPlan: boolean;
}

interface Buyer {
  accountId: string;
  email: string | null;
  name: string | null;
}

// https://docs.stripe.com/api/customers/create
const MAX_NAME = 256;

/** Creates a customer, once for each idempotency key. Throws Stripe's errors. */
export async function createCustomer(buyer: Buyer, idempotencyKey: string): Promise<string> {
  const { id } = await stripe().customers.create(
    {
      metadata: { accountId: buyer.accountId },
      ...(buyer.email && { email: buyer.email }),
      ...(buyer.name && { name: buyer.name.slice(0, MAX_NAME) }),
    },
    { idempotencyKey },
  );
  return id;
}

/** Deletes a customer, which cancels their subscriptions. A customer that no longer exists counts as deleted. */
export async function deleteCustomer(customerId: string): Promise<void> {
  await stripe()
    .customers.del(customerId)
    .catch((error) => {
      if (!isMissingAtStripe(error)) throw error;
    });
}

/** A customer's sessions that can still be paid, and the ids of their latest sessions of any state, in their own order. */
export async function listCheckouts(customerId: string): Promise<{ open: CheckoutSession[]; ids: string[] }> {
  const { data } = await stripe()
    .checkout.sessions.list({ customer: customerId, limit: 100 })
    .catch((error) => {
      if (isMissingAtStripe(error) || isNotFoundAtStripe(error)) return { data: [] };
      throw error;
    });
  const open = data
    .filter(({ status }) => status === 'open')
    .map(({ id, url, expires_at, metadata }) => ({
      id,
      url,
      expiresAt: expires_at * SECOND_MS,
      isOfPlan: metadata?.['priceId'] === env().STRIPE_PRICE_ID,
    }));
  return { open, ids: data.map(({ id }) => id).sort() };
}

/** Opens a checkout of the plan. The session and its subscription name the account. */
export async function createCheckout(
  customerId: string,
  accountId: string,
  idempotencyKey: string,
): Promise<{ id: string; url: string }> {
  const billingPage = `${env().APP_URL}/settings/billing`;
  const { id, url } = await stripe().checkout.sessions.create(
    {
      mode: 'subscription',
      customer: customerId,
      line_items: [{ price: env().STRIPE_PRICE_ID, quantity: 1 }],
      success_url: `${billingPage}?checkout=success&session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: billingPage,
      client_reference_id: accountId,
      metadata: { accountId, priceId: env().STRIPE_PRICE_ID },
      subscription_data: { metadata: { accountId, ...PLAN_MARK } },
    },
    { idempotencyKey },
  );
  if (!url) throw new Error('Stripe opened a checkout without a page');
  return { id, url };
}

/** Expires a session that should no longer be paid. One that is already over is left as it is. */
export async function expireCheckout(id: string): Promise<void> {
  const session = await stripe().checkout.sessions.retrieve(id);
  if (session.status === 'open') await stripe().checkout.sessions.expire(id);
}

/** Opens the customer portal. The URL works for a few minutes. */
export async function createPortal(customerId: string): Promise<string> {
  const { url } = await stripe().billingPortal.sessions.create({
    customer: customerId,
    return_url: `${env().APP_URL}/settings/billing?portal=returned`,
  });
  return url;
}
