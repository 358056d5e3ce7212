import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type StripeStage, startStripe } from './start-stripe';
import { stripeState } from './stripe-state';

let stage: StripeStage;

beforeEach(async () => {
  stage = await startStripe();
});
afterEach(() => stage.stop());

async function subscribe(card = 'good') {
  const customer = await stage.stripe.customers.create({ email: 'mira@lanternworks.example' });
  const session = await stage.stripe.checkout.sessions.create({ ...stage.checkout, customer: customer.id });
  const landing = await stage.submit(new URL(session.url ?? '').pathname, { decision: 'pay', card });
  const { data } = await stage.stripe.subscriptions.list({ customer: customer.id, status: 'all' });
  return { customer, session, landing, subscription: data[0] };
}

const types = () => stage.received.map(({ event }) => event.type);
const current = async (id: string) => stage.stripe.subscriptions.retrieve(id);

test('a checkout is paid on its page and becomes a subscription of a month', async () => {
  const { session, landing, subscription, customer } = await subscribe();
  expect(landing).toBe(`${stage.appUrl}/done?session_id=${session.id}`);
  expect(subscription).toMatchObject({
    status: 'active',
    customer: customer.id,
    cancel_at_period_end: false,
  });
  const item = subscription?.items.data[0];
  expect((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)).toBeGreaterThan(27 * 86_400);
  const paid = await stage.stripe.checkout.sessions.retrieve(session.id);
  expect(paid).toMatchObject({ status: 'complete', url: null, subscription: subscription?.id });
  await expect
    .poll(types)
    .toEqual(
      expect.arrayContaining(['customer.subscription.created', 'invoice.paid', 'checkout.session.completed']),
    );
  const { body, signature } = stage.received.at(-1) ?? { body: '', signature: '' };
  const { webhookSecret } = stage.context.credentials.stripe;
  expect(Stripe.webhooks.constructEvent(body, signature, webhookSecret).api_version).toBe(
    '2026-10-28.endive',
  );
});

test('a declined card leaves the session open, and cancelling goes back', async () => {
  const { session, landing, subscription } = await subscribe('declined');
  expect(landing).toBe(`/pay/${session.id}?declined`);
  expect(subscription).toBeUndefined();
  const page = await (await fetch(`${stage.url}${landing}`)).text();
  expect(page).toContain('Your card was declined');
  expect(await stage.submit(`/pay/${session.id}`, { decision: 'cancel' })).toBe(`${stage.appUrl}/back`);
});

test('the clock renews, fails, recovers with another card, and ends what was cancelled', async () => {
  const { customer, subscription } = await subscribe('fading');
  const id = subscription?.id ?? '';
  await stage.advanceDays(32);
  expect(await current(id)).toMatchObject({ status: 'past_due' });
  await expect.poll(types).toContain('invoice.payment_failed');
  await stage.control(`/customers/${customer.id}/card`, { card: 'good' });
  expect(await current(id)).toMatchObject({ status: 'active' });
  await stage.control(`/subscriptions/${id}`, { action: 'cancel-at-period-end' });
  expect(await current(id)).toMatchObject({ status: 'active', cancel_at_period_end: true });
  await stage.advanceDays(32);
  expect(await current(id)).toMatchObject({ status: 'canceled' });
  await expect.poll(types).toContain('customer.subscription.deleted');
});

test('a payment that keeps failing ends the subscription', async () => {
  const { subscription } = await subscribe('fading');
  await stage.advanceDays(45);
  expect(await current(subscription?.id ?? '')).toMatchObject({ status: 'canceled' });
});

test('a trial is announced three days before its end, then charged', async () => {
  const session = await stage.stripe.checkout.sessions.create({
    ...stage.checkout,
    customer_email: 'mira@lanternworks.example',
    subscription_data: { trial_period_days: 7 },
  });
  await stage.control(`/sessions/${session.id}/pay`, {});
  const { data } = await stage.stripe.subscriptions.list();
  expect(data[0]).toMatchObject({ status: 'trialing' });
  await stage.advanceDays(5);
  await expect.poll(types).toContain('customer.subscription.trial_will_end');
  await stage.advanceDays(3);
  expect(await current(data[0]?.id ?? '')).toMatchObject({ status: 'active' });
});

test('the portal cancels, resumes and switches the card of its own customer only', async () => {
  const { customer, subscription } = await subscribe();
  const portal = await stage.stripe.billingPortal.sessions.create({ customer: customer.id });
  const path = `${new URL(portal.url).pathname}/subscriptions/${subscription?.id}`;
  await stage.submit(path, { action: 'cancel-at-period-end' });
  expect(await current(subscription?.id ?? '')).toMatchObject({ cancel_at_period_end: true });
  await stage.submit(path, { action: 'resume' });
  expect(await current(subscription?.id ?? '')).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
  });
  const stranger = await stage.stripe.customers.create();
  const other = await stage.stripe.billingPortal.sessions.create({ customer: stranger.id });
  await stage.submit(`${new URL(other.url).pathname}/subscriptions/${subscription?.id}`, {
    action: 'cancel-now',
  });
  expect(await current(subscription?.id ?? '')).toMatchObject({ status: 'active' });
  expect(await (await fetch(portal.url)).text()).toContain('PW-0001');
});

test('the portal opens only once its settings have been saved', async () => {
  const { customer } = await subscribe();
  const open = () => stage.stripe.billingPortal.sessions.create({ customer: customer.id });
  stripeState(stage.context).value.isPortalUnsaved = true;
  await expect(open()).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
  stripeState(stage.context).value.isPortalUnsaved = false;
  expect((await open()).url).toMatch(/\/portal\/bps_/);
});

test('a key works once: a repeated call gets the first response, a different one and a simultaneous one are refused', async () => {
  const make = (email: string, idempotencyKey: string) =>
    stage.stripe.customers.create({ email }, { idempotencyKey });
  const first = await make('a@example.com', 'one');
  expect((await make('a@example.com', 'one')).id).toBe(first.id);
  await expect(make('b@example.com', 'one')).rejects.toMatchObject({
    statusCode: 400,
    type: 'StripeIdempotencyError',
  });
  stage.context.faults.add({ target: 'stripe', kind: 'slow', times: 1, status: 500, delayMs: 60_000 });
  const both = [make('c@example.com', 'two'), make('c@example.com', 'two')];
  const early = await Promise.race(both.map((call) => call.catch((error) => error)));
  expect(early).toMatchObject({ statusCode: 409 });
  stage.context.faults.release();
  const ends = await Promise.allSettled(both);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test.each([
  ['no key', { authorization: '' }, 401],
  ['another key', { authorization: 'Bearer sk_test_other' }, 401],
  ['no version', { 'stripe-version': '' }, 400],
  ['another version', { 'stripe-version': '2024-06-20' }, 400],
  ['a JSON body', { 'content-type': 'application/json' }, 400],
])('a call with %s is refused', async (_, headers, status) => {
  const response = await stage.raw('POST', '/v1/customers', 'email=a@example.com', headers);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
});

test.each([
  ['email=a@example.com&colour=red', 'parameter_unknown', 'colour'],
  ['metadata[a][b]=c', undefined, 'metadata[a]'],
  ['email=nobody', undefined, 'email'],
])('the parameters %s are refused', async (body, code, param) => {
  const response = await stage.raw('POST', '/v1/customers', body);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { code?: string; param?: string } };
  expect(error).toMatchObject({ param, ...(code && { code }) });
});

test('parameters that Stripe has removed are refused', async () => {
  const old = { ...stage.checkout, payment_method_types: ['card'] };
  await expect(
    stage.stripe.checkout.sessions.create(old as Stripe.Checkout.SessionCreateParams),
  ).rejects.toMatchObject({ code: 'parameter_unknown', param: 'payment_method_types' });
});

test('webhooks are repeated until they are accepted, and faults drop, duplicate and reorder them', async () => {
  await stage.control('/settings', { retryBaseMs: 20 }, 'PATCH');
  stage.answers.push(500);
  await stage.stripe.customers.create();
  await expect.poll(() => stage.received.length).toBe(2);
  expect(stage.received[0]?.event.id).toBe(stage.received[1]?.event.id);

  stage.context.faults.add({
    target: 'stripe.webhook',
    kind: 'reorder',
    match: 'created',
    times: 1,
    status: 500,
    delayMs: 0,
  });
  stage.context.faults.add({
    target: 'stripe.webhook',
    kind: 'drop',
    match: 'invoice',
    times: 1,
    status: 500,
    delayMs: 0,
  });
  stage.context.faults.add({
    target: 'stripe.webhook',
    kind: 'duplicate',
    match: 'completed',
    times: 1,
    status: 500,
    delayMs: 0,
  });
  stage.received.length = 0;
  const session = await stage.stripe.checkout.sessions.create({
    ...stage.checkout,
    customer_email: 'a@example.com',
  });
  await stage.control(`/sessions/${session.id}/pay`, {});
  await expect.poll(types).toContain('customer.created');
  await expect.poll(() => types().filter((type) => type === 'checkout.session.completed').length).toBe(2);
  expect(types()).not.toContain('invoice.paid');
  expect(types()[0]).not.toBe('customer.created');
});

test('deleting a customer cancels everything; both are gone afterwards', async () => {
  const { customer, subscription } = await subscribe();
  await stage.stripe.customers.del(customer.id);
  expect(await current(subscription?.id ?? '')).toMatchObject({ status: 'canceled' });
  await expect(stage.stripe.customers.del(customer.id)).rejects.toMatchObject({ code: 'resource_missing' });
  await expect(stage.stripe.subscriptions.cancel(subscription?.id ?? '')).rejects.toMatchObject({
    code: 'resource_missing',
    statusCode: 404,
  });
});
