import type { Hono } from 'hono';
import { z } from 'zod';
import { expireSession } from '../billing/complete-checkout';
import { hasPrice } from '../starter-price';
import { invalid, missing } from '../stripe-error';
import type { StoredSession } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toSession } from '../to-api';
import { decodeForm, metadata, parseParams, wholeNumber } from './form-body';
import { listAnswer, listParams } from './list-answer';

const DAY_SECONDS = 86_400;
const MINUTE_SECONDS = 60;

const subscriptionDataSchema = z.strictObject({
  metadata: metadata.optional(),
  trial_end: wholeNumber.optional(),
  trial_period_days: wholeNumber.optional(),
});
const createSchema = z.strictObject({
  mode: z.literal('subscription'),
  line_items: z.array(z.strictObject({ price: z.string(), quantity: z.literal('1') })).min(1),
  success_url: z.string().regex(/^https?:\/\//, 'must be a URL'),
  cancel_url: z.url().optional(),
  customer: z.string().optional(),
  customer_email: z.email().optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: subscriptionDataSchema.optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  allow_promotion_codes: z.enum(['true', 'false']).optional(),
  expires_at: wholeNumber.optional(),
});
const listSchema = z.strictObject({
  ...listParams,
  customer: z.string().optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
  subscription: z.string().optional(),
});

export function checkoutRoutes(api: Hono, world: StripeWorld): void {
  const answer = (session: StoredSession) => toSession(session, world.context.urls.stripe);

  api.post('/checkout/sessions', async (c) => {
    const given = parseParams(createSchema, decodeForm(await c.req.text()));
    const session = open(world, given);
    world.state.sessions[session.id] = session;
    world.save();
    return c.json(answer(session));
  });

  api.get('/checkout/sessions', (c) => {
    const given = parseParams(listSchema, decodeForm(new URL(c.req.url).search.slice(1)));
    const found = Object.values(world.state.sessions)
      .reverse()
      .filter((each) => !given.customer || each.customerId === given.customer)
      .filter((each) => !given.status || each.status === given.status)
      .filter((each) => !given.subscription || each.subscriptionId === given.subscription);
    return c.json(listAnswer(found.map(answer), '/v1/checkout/sessions', given));
  });

  api.get('/checkout/sessions/:id', (c) => c.json(answer(sessionOf(world, c.req.param('id')))));

  api.post('/checkout/sessions/:id/expire', (c) => {
    const session = sessionOf(world, c.req.param('id'));
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    }
    expireSession(world, session);
    return c.json(answer(session));
  });
}

function open(world: StripeWorld, given: z.infer<typeof createSchema>): StoredSession {
  const [priceId = '', ...morePriceIds] = given.line_items.map(({ price }) => price);
  for (const [index, price] of [priceId, ...morePriceIds].entries()) {
    if (!hasPrice(world.context, price)) throw missing('price', price, `line_items[${index}][price]`);
  }
  if (given.customer && given.customer_email) {
    throw invalid('You may only specify one of these parameters: customer, customer_email.');
  }
  if (given.customer) world.customer(given.customer, 'customer');
  const { trial_end: trialEnd, trial_period_days: trialPeriodDays } = given.subscription_data ?? {};
  const now = world.now();
  if (trialEnd !== undefined && trialEnd < now + 2 * DAY_SECONDS) {
    throw invalid('The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    });
  }
  if (trialEnd !== undefined && trialPeriodDays !== undefined) {
    throw invalid('You may only specify one of these parameters: trial_end, trial_period_days.');
  }
  const expiresAt = given.expires_at ?? now + DAY_SECONDS;
  if (expiresAt < now + 30 * MINUTE_SECONDS || expiresAt > now + DAY_SECONDS) {
    throw invalid('`expires_at` must be between 30 minutes and 24 hours from now.', { param: 'expires_at' });
  }
  return {
    id: world.newId('cs_test'),
    customerId: given.customer ?? null,
    customerEmail: given.customer_email ?? null,
    status: 'open',
    paymentStatus: 'unpaid',
    priceId,
    morePriceIds,
    successUrl: given.success_url,
    cancelUrl: given.cancel_url ?? null,
    clientReferenceId: given.client_reference_id ?? null,
    metadata: given.metadata ?? {},
    subscriptionMetadata: given.subscription_data?.metadata ?? {},
    trialEnd: trialEnd ?? null,
    trialPeriodDays: trialPeriodDays ?? null,
    subscriptionId: null,
    created: now,
    expiresAt,
  };
}

function sessionOf(world: StripeWorld, id: string): StoredSession {
  const session = world.state.sessions[id];
  if (!session) throw missing('checkout.session', id);
  return session;
}
