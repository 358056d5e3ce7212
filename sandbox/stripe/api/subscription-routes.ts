import type { Hono } from 'hono';
import { z } from 'zod';
import { cancelNow, isOver } from '../billing/subscription-changes';
import { missing } from '../stripe-error';
import type { StoredSubscription } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toSubscription } from '../to-api';
import { decodeForm, parseParams } from './form-body';
import { listAnswer, listParams } from './list-answer';

const STATUSES = [
  'active',
  'past_due',
  'unpaid',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'trialing',
  'paused',
];
const listSchema = z.strictObject({
  ...listParams,
  customer: z.string().optional(),
  price: z.string().optional(),
  status: z.enum([...STATUSES, 'all', 'ended']).optional(),
});
const cancelSchema = z.strictObject({
  invoice_now: z.enum(['true', 'false']).optional(),
  prorate: z.enum(['true', 'false']).optional(),
});

export function subscriptionRoutes(api: Hono, world: StripeWorld): void {
  api.get('/subscriptions', (c) => {
    const query = new URL(c.req.url).search.slice(1);
    const given = parseParams(listSchema, decodeForm(query));
    if (given.customer && !world.state.customers[given.customer]) {
      throw missing('customer', given.customer, 'customer');
    }
    const all = given.customer
      ? world.subscriptionsOf(given.customer)
      : Object.values(world.state.subscriptions).reverse();
    const found = all
      .filter((each) => !given.price || [each.priceId, ...(each.morePriceIds ?? [])].includes(given.price))
      .filter((each) => hasStatus(each, given.status));
    return c.json(listAnswer(found.map(toSubscription), '/v1/subscriptions', given));
  });

  api.get('/subscriptions/:id', (c) => c.json(toSubscription(subscriptionOf(world, c.req.param('id')))));

  api.delete('/subscriptions/:id', async (c) => {
    const query = new URL(c.req.url).search.slice(1);
    parseParams(cancelSchema, decodeForm(query || (await c.req.text())));
    const id = c.req.param('id');
    const subscription = subscriptionOf(world, id);
    if (isOver(subscription)) throw missing('subscription', id);
    cancelNow(world, subscription);
    return c.json(toSubscription(subscription));
  });
}

// Without a `status`, Stripe omits canceled subscriptions.
function hasStatus(subscription: StoredSubscription, status: string | undefined): boolean {
  if (status === 'all') return true;
  if (status === 'ended') return isOver(subscription);
  return status ? subscription.status === status : subscription.status !== 'canceled';
}

function subscriptionOf(world: StripeWorld, id: string): StoredSubscription {
  const subscription = world.state.subscriptions[id];
  if (!subscription) throw missing('subscription', id);
  return subscription;
}
