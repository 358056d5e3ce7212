import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { eventually, TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { whyStopped } from './posting-permission';
import { billingSchema } from './schema';
import { rereadSubscriptions } from './sync-subscription';

let product: TestProduct;
let till: StripeSteps;

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
  await product.control('stripe', 'PATCH', '/settings', { retryBaseMs: 20 });
  await product.work();
});
afterAll(() => product.stop());
beforeEach(async () => {
  product.sandbox.context.faults.clear();
  await till.drain();
  await db().account.deleteMany();
  await product.control('stripe', 'PATCH', '/settings', { cancelsBy: 'cancel_at_period_end' });
});

const post = (path: string) => product.call('mira', 'POST', `/api/app/billing/${path}`);
const account = () => db().account.findFirstOrThrow();
const OTHER = 'price_other_weekly';
const customers = async () =>
  ((await product.control('stripe', 'GET', '/customers')) as { id: string; isDeleted: boolean }[])
    .filter(({ isDeleted }) => !isDeleted)
    .map(({ id }) => id);
const live = async () => (await till.subscriptions()).filter(({ status }) => status === 'active');

describe('the checkout', () => {
  test('makes an active subscription with its renewal date, and the portal opens', async () => {
    expect(await till.subscription()).toMatchObject({ status: 'trial', isTrialActive: true, renewsAt: null });
    expect((await post('create-portal-session')).status).toBe(409);
    await till.buy();
    await till.drain();
    const { body } = await product.call('mira', 'GET', '/api/app/billing');
    expect(billingSchema.parse(body)).toEqual(body);
    const [held] = await live();
    expect(body.subscription).toMatchObject({
      status: 'active',
      isTrialActive: false,
      cancelsAt: null,
      stripeSubscriptionId: held?.id,
      renewsAt: new Date((held?.items.data[0].current_period_end ?? 0) * 1000).toISOString(),
    });
    expect(body.usage.periodEnd).toBe(body.subscription.renewsAt);
    const portal = await post('create-portal-session');
    expect(portal.body.url).toMatch(/\/portal\/bps_/);
  });

  test('opens whatever the identity provider says of the person', async () => {
    await product.call('mira', 'GET', '/api/app/me');
    const profile = { email: 'mira@lanternworks', discordUsername: 'm'.repeat(300) };
    await db().account.updateMany({ data: profile });
    expect((await post('create-checkout-session')).status).toBe(200);
    const made: { id: string }[] = await product.control('stripe', 'GET', '/customers');
    const { stripeCustomerId } = await account();
    expect(made.find(({ id }) => id === stripeCustomerId)).toMatchObject({
      email: null,
      name: 'm'.repeat(256),
    });
  });

  test('is limited for each account, like the portal, because other accounts need Stripe too', async () => {
    await till.buy();
    await till.drain();
    await db().callCount.deleteMany();
    const endsAt = new Date(Date.now() + 60_000);
    await db().callCount.create({
      data: { accountId: (await account()).id, kind: 'outside', used: 60, endsAt },
    });
    for (const path of ['create-checkout-session', 'create-portal-session', 'refresh']) {
      expect([path, await post(path)]).toMatchObject([path, { status: 429, body: { code: 'rate_limited' } }]);
    }
  });

  test('opens one session for ten simultaneous clicks, and is refused while a subscription runs', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('create-checkout-session')));
    expect(new Set(answers.map(({ body }) => body.url)).size).toBe(1);
    expect(await till.pay(answers[0]?.body.url)).toBe(true);
    // Before any webhook has arrived.
    const again = await post('create-checkout-session');
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect(again.body.error).toMatch(/already has a subscription/);
    const { stripeCustomerId } = await account();
    expect((await live()).filter(({ customer }) => customer === stripeCustomerId)).toHaveLength(1);
  });

  test('keeps the first of two subscriptions that slipped through and cancels the other', async () => {
    await till.buy();
    await till.drain();
    const { id, stripeCustomerId, stripeSubscriptionId } = await account();
    await till.buyPastTheProduct(stripeCustomerId ?? '', id);
    await till.drain();
    const mine = (await till.subscriptions()).filter(({ customer }) => customer === stripeCustomerId);
    expect(mine.map(({ status }) => status).sort()).toEqual(['active', 'canceled']);
    expect(mine.find(({ status }) => status === 'active')?.id).toBe(stripeSubscriptionId);
    expect(await account()).toMatchObject({ stripeSubscriptionId, status: 'active' });
  });

  test('stays usable after a declined card and after a lost answer', async () => {
    expect(await till.buy('declined')).toBe(false);
    expect((await till.subscription()).status).toBe('trial');
    product.sandbox.context.faults.add({
      target: 'stripe',
      kind: 'hangup',
      match: 'POST /v1',
      times: 1,
      status: 500,
      delayMs: 0,
    });
    await db().account.deleteMany();
    await till.buy();
    await till.drain();
    expect((await till.subscription()).status).toBe('active');
  });

  test('makes a new customer when somebody deleted the old one at Stripe', async () => {
    await till.buy();
    await till.drain();
    const { stripeCustomerId } = await account();
    await product.control('stripe', 'DELETE', `/customers/${stripeCustomerId}`);
    await till.drain();
    expect(await till.subscription()).toMatchObject({ status: 'canceled', renewsAt: null });
    expect((await post('create-portal-session')).status).toBe(409);
    await till.buy();
    await till.drain();
    expect((await account()).stripeCustomerId).not.toBe(stripeCustomerId);
    expect((await till.subscription()).status).toBe('active');
  });

  const failOnce = (match: string, status: number) =>
    product.sandbox.context.faults.add({
      target: 'stripe',
      kind: 'fail',
      match,
      times: 1,
      status,
      delayMs: 0,
    });

  test.each(['POST /v1/customers', 'POST /v1/checkout/sessions'])(
    'works again after an error inside Stripe, which keeps its answer to %s',
    async (match) => {
      await db().account.deleteMany();
      failOnce(match, 500);
      expect((await post('create-checkout-session')).status).toBe(502);
      expect(await post('create-checkout-session')).toMatchObject({
        status: 200,
        body: { url: expect.stringContaining('http') },
      });
    },
  );

  test.each(['POST /v1/customers', 'POST /v1/checkout/sessions'])(
    'works again once what made Stripe refuse %s is put right, though Stripe keeps that answer too',
    async (match) => {
      await db().account.deleteMany();
      failOnce(match, 400);
      expect(await post('create-checkout-session')).toMatchObject({
        status: 502,
        body: { error: expect.stringMatching(/^Stripe refused this/) },
      });
      expect((await post('create-checkout-session')).status).toBe(200);
    },
  );

  test('works at once with the price that replaces one which Stripe refused', async () => {
    env().STRIPE_PRICE_ID = 'price_nobody_made';
    expect((await post('create-checkout-session')).status).toBe(502);
    env().STRIPE_PRICE_ID = till.planPrice;
    expect((await post('create-checkout-session')).status).toBe(200);
  });

  test.each([
    [503, 'is down'],
    [409, 'still carries out an earlier try'],
  ])('reports that Stripe does not answer: %i, it %s', async (status) => {
    product.sandbox.context.faults.add({ target: 'stripe', kind: 'fail', times: 0, status, delayMs: 0 });
    expect(await post('create-checkout-session')).toMatchObject({
      status: 502,
      body: { error: 'Stripe does not answer. Try again in a minute.', code: 'upstream_failed' },
    });
  });
});

describe('a first payment that does not go through', () => {
  /** Makes the account's newest subscription one that waits for its first payment. */
  async function buyUnpaid(): Promise<string> {
    till.fault('drop');
    await till.buy();
    const { stripeCustomerId } = await account();
    const mine = (await till.subscriptions()).filter(({ customer }) => customer === stripeCustomerId);
    product.sandbox.context.faults.clear();
    const id = mine.at(-1)?.id ?? '';
    await till.change(id, 'wait-for-payment');
    await till.drain();
    return id;
  }

  test('leaves the trial as it was once the subscription has ended for it', async () => {
    const { trialEndsAt } = await till.subscription();
    const id = await buyUnpaid();
    expect(await till.subscription()).toMatchObject({ status: 'incomplete', isFirstPaymentOpen: true });
    await till.change(id, 'go-unpaid');
    await till.drain();
    expect(await till.subscription()).toMatchObject({
      status: 'trial',
      isTrialActive: true,
      trialEndsAt,
      stripeSubscriptionId: null,
      isFirstPaymentOpen: false,
    });
    expect(await till.buy()).toBe(true);
    await till.drain();
    expect((await till.subscription()).status).toBe('active');
  });

  test('begins the subscription when it goes through after all', async () => {
    const id = await buyUnpaid();
    await till.change(id, 'take-payment');
    await till.drain();
    expect(await till.subscription()).toMatchObject({ status: 'active', stripeSubscriptionId: id });
  });

  /** What posting is stopped by. */
  const stop = async () => whyStopped(await account(), new Date())?.reason;
  const ENDED = 'The subscription has ended. Posting resumes with a new one.';

  test('gives no trial to whoever had a subscription before, neither while it is open nor later', async () => {
    await till.buy();
    await till.drain();
    const { stripeSubscriptionId } = await till.subscription();
    await till.change(stripeSubscriptionId, 'cancel-now');
    await till.drain();
    const id = await buyUnpaid();
    const ended = { status: 'canceled', stripeSubscriptionId };
    expect(await till.subscription()).toMatchObject({ ...ended, isFirstPaymentOpen: true });
    expect(await stop()).toBe(ENDED);
    await till.change(id, 'go-unpaid');
    await till.drain();
    expect(await till.subscription()).toMatchObject({ ...ended, isFirstPaymentOpen: false });
    const paid = await buyUnpaid();
    await till.change(paid, 'take-payment');
    await till.drain();
    const begun = { status: 'active', stripeSubscriptionId: paid, isFirstPaymentOpen: false };
    expect(await till.subscription()).toMatchObject(begun);
    expect(await stop()).toBeUndefined();
  });

  test('gives no trial either when the customer of that subscription was deleted at Stripe', async () => {
    await till.buy();
    await till.drain();
    const { stripeCustomerId } = await account();
    await product.control('stripe', 'DELETE', `/customers/${stripeCustomerId}`);
    await till.drain();
    const id = await buyUnpaid();
    expect((await till.subscription()).status).toBe('canceled');
    expect(await stop()).toBe(ENDED);
    await till.change(id, 'take-payment');
    await till.drain();
    expect(await till.subscription()).toMatchObject({ status: 'active', stripeSubscriptionId: id });
  });
});

describe('what the same customer pays for something else', () => {
  /** Makes the account a customer without a subscription. */
  async function becomeCustomer(): Promise<string> {
    await till.buy('declined');
    return (await account()).stripeCustomerId ?? '';
  }

  test('neither gives the plan, nor blocks the checkout, nor is cancelled when the plan is bought', async () => {
    const customerId = await becomeCustomer();
    await till.buyElsewhere(customerId, [OTHER], { accountId: (await account()).id });
    await till.drain();
    expect(await till.subscription()).toMatchObject({ status: 'trial', stripeSubscriptionId: null });
    await till.buy();
    await till.drain();
    expect((await till.subscription()).status).toBe('active');
    expect((await live()).filter(({ customer }) => customer === customerId)).toHaveLength(2);
  });

  test('does not keep the plan after its own subscription has ended', async () => {
    await till.buy();
    await till.drain();
    await till.buyElsewhere((await account()).stripeCustomerId ?? '', [OTHER]);
    await till.change((await till.subscription()).stripeSubscriptionId, 'cancel-now');
    await till.drain();
    expect(await till.subscription()).toMatchObject({ status: 'canceled', renewsAt: null });
  });

  test('counts when the plan is among it, with the period of the plan', async () => {
    const customerId = await becomeCustomer();
    await till.buyElsewhere(customerId, [OTHER, till.planPrice]);
    await till.drain();
    const [held] = (await live()).filter(({ customer }) => customer === customerId);
    const [, plan] = held?.items.data ?? [];
    expect(await till.subscription()).toMatchObject({
      status: 'active',
      stripeSubscriptionId: held?.id,
      renewsAt: new Date((plan?.current_period_end ?? 0) * 1000).toISOString(),
    });
    expect((await post('create-checkout-session')).status).toBe(409);
  });

  test('is not what Upgrade leads to, though its checkout is open', async () => {
    const url = await till.openElsewhere(await becomeCustomer(), [OTHER]);
    const { body } = await post('create-checkout-session');
    expect(body.url).not.toBe(url);
    await till.pay(body.url);
    await till.drain();
    expect((await till.subscription()).status).toBe('active');
  });
});

describe('when the plan gets another price, a subscription at the former one', () => {
  afterEach(() => {
    env().STRIPE_PRICE_ID = till.planPrice;
  });

  test('goes on, and no other can be bought beside it', async () => {
    await till.buy('declined');
    const { id, stripeCustomerId } = await account();
    // As our checkout wrote it before it marked subscriptions.
    await till.buyPastTheProduct(stripeCustomerId ?? '', id);
    await till.drain();
    const before = await till.subscription();
    env().STRIPE_PRICE_ID = OTHER;
    await rereadSubscriptions();
    await till.drain();
    expect(before.status).toBe('active');
    expect(await till.subscription()).toEqual(before);
    expect((await post('create-checkout-session')).status).toBe(409);
  });

  test('counts although it was not read before', async () => {
    till.fault('drop');
    await till.buy();
    env().STRIPE_PRICE_ID = OTHER;
    expect((await post('create-checkout-session')).status).toBe(409);
    await rereadSubscriptions();
    await till.drain();
    expect((await till.subscription()).status).toBe('active');
  });

  test('is kept, and a later one at the new price is cancelled', async () => {
    await till.buy();
    await till.drain();
    const before = await till.subscription();
    const { id, stripeCustomerId } = await account();
    env().STRIPE_PRICE_ID = OTHER;
    await till.buyElsewhere(stripeCustomerId ?? '', [OTHER], { accountId: id });
    await till.drain();
    expect(await till.subscription()).toEqual(before);
    expect((await live()).filter(({ customer }) => customer === stripeCustomerId)).toHaveLength(1);
  });
});

test('the portal says so when Stripe does not answer or refuses, and opens when it does again', async () => {
  await till.buy();
  await till.drain();
  const fault = { target: 'stripe', kind: 'fail', times: 0, delayMs: 0 } as const;
  product.sandbox.context.faults.add({ ...fault, status: 503 });
  expect(await post('create-portal-session')).toMatchObject({
    status: 502,
    body: { error: 'Stripe does not answer. Try again in a minute.', code: 'upstream_failed' },
  });
  product.sandbox.context.faults.clear();
  expect(await post('create-portal-session')).toMatchObject({ status: 200 });
  product.sandbox.context.faults.add({ ...fault, status: 400, times: 1 });
  expect((await post('create-portal-session')).body.error).toMatch(/^Stripe refused this/);
  product.sandbox.context.faults.clear();
});

test("after an outage of Stripe, coming back from the checkout does not wait for an older read's next try", async () => {
  await till.buy();
  await till.drain();
  product.sandbox.context.faults.add({
    target: 'stripe',
    kind: 'fail',
    match: 'GET /v1',
    times: 0,
    status: 503,
    delayMs: 0,
  });
  await till.change((await till.subscription()).stripeSubscriptionId, 'cancel-now');
  const failed = () =>
    db().$queryRaw<unknown[]>`select 1 from graphile_worker.jobs where attempts > 0 and locked_at is null`;
  await expect.poll(failed).toHaveLength(1);
  // As after many failed attempts, whose intervals grow.
  await db()
    .$executeRaw`update graphile_worker._private_jobs set run_at = now() + interval '3 hours' where attempts > 0`;
  product.sandbox.context.faults.clear();
  expect((await till.subscription()).status).toBe('active');
  expect((await post('refresh')).status).toBe(200);
  await expect.poll(async () => (await till.subscription()).status).toBe('canceled');
});

test('a subscription that Stripe has paused is not said to renew', async () => {
  await till.buy();
  await till.drain();
  await db().account.updateMany({ data: { status: 'paused' } });
  expect(await till.subscription()).toMatchObject({ status: 'paused', renewsAt: null, cancelsAt: null });
});

test('coming back from the checkout reads the subscription and shows the plan without any webhook', async () => {
  till.fault('drop');
  await till.buy();
  expect((await till.subscription()).status).toBe('trial');
  expect(await post('refresh')).toMatchObject({ status: 200, body: { requested: true } });
  await expect.poll(async () => (await till.subscription()).status).toBe('active');
});

test('the nightly job reads again what no webhook reported', async () => {
  await till.buy();
  await till.drain();
  till.fault('drop');
  await till.change((await till.subscription()).stripeSubscriptionId, 'cancel-now');
  await till.drain();
  expect((await till.subscription()).status).toBe('active');
  await rereadSubscriptions();
  await expect.poll(async () => (await till.subscription()).status).toBe('canceled');
});

test.each(['cancel_at_period_end', 'cancel_at'])(
  'a cancellation by %s shows its date, and can be taken back',
  async (cancelsBy) => {
    await product.control('stripe', 'PATCH', '/settings', { cancelsBy });
    await till.buy();
    await till.drain();
    const before = await till.subscription();
    await till.change(before.stripeSubscriptionId, 'cancel-at-period-end');
    await till.drain();
    expect(await till.subscription()).toMatchObject({
      status: 'active',
      renewsAt: null,
      cancelsAt: before.renewsAt,
    });
    await till.change(before.stripeSubscriptionId, 'resume');
    await till.drain();
    expect(await till.subscription()).toEqual(before);
    await till.change(before.stripeSubscriptionId, 'cancel-at-period-end');
    await till.advanceDays(32);
    await till.drain();
    expect(await till.subscription()).toMatchObject({ status: 'canceled', renewsAt: null, cancelsAt: null });
  },
);

test('a cancellation for later than the next renewal shows both dates', async () => {
  await till.buy();
  await till.drain();
  const { renewsAt } = await till.subscription();
  const cancelsAt = new Date(Date.parse(renewsAt) + 40 * 24 * 60 * 60 * 1000);
  await db().account.updateMany({ where: { paidPeriodEnd: { not: null } }, data: { cancelsAt } });
  expect(await till.subscription()).toMatchObject({ renewsAt, cancelsAt: cancelsAt.toISOString() });
});

test('the trial of a subscription goes on until Stripe says what follows it', async () => {
  await till.buy('declined');
  const { stripeCustomerId } = await account();
  await till.buyElsewhere(stripeCustomerId ?? '', [till.planPrice], {}, 7);
  await till.drain();
  const { trialEndsAt } = await till.subscription();
  expect(await till.subscription()).toMatchObject({
    status: 'trial',
    isTrialActive: true,
    renewsAt: trialEndsAt,
  });
  // Its end has come, and Stripe has not told yet that it was paid.
  await db().account.updateMany({ data: { trialEndsAt: new Date(Date.now() - 1) } });
  const open = { status: 'trial', isTrialActive: true, trialEndsAt: null };
  expect(await till.subscription()).toMatchObject(open);
  const { body: me } = await product.call('mira', 'GET', '/api/app/me');
  expect(me.subscription).toMatchObject({ status: 'trial', trial_ends_at: null });
  expect(whyStopped(await account(), new Date())).toBeNull();
  await till.advanceDays(8);
  await till.drain();
  expect(await till.subscription()).toMatchObject({ status: 'active', isTrialActive: false });
});

test('a renewal starts a new period; a failed one is past due until another card pays', async () => {
  await till.buy('fading');
  await till.drain();
  const { usage } = (await product.call('mira', 'GET', '/api/app/billing')).body;
  await till.advanceDays(32);
  await till.drain();
  expect((await till.subscription()).status).toBe('past_due');
  const { stripeCustomerId } = await account();
  await product.control('stripe', 'POST', `/customers/${stripeCustomerId}/card`, { card: 'good' });
  await till.drain();
  const after = (await product.call('mira', 'GET', '/api/app/billing')).body;
  expect(after.subscription.status).toBe('active');
  expect(after.usage.periodStart).toBe(usage.periodEnd);
});

describe('the webhook door', () => {
  const eventOf = (customer: string, changes: Record<string, unknown> = {}) =>
    JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'customer.subscription.updated',
      livemode: false,
      data: { object: { id: 'sub_made_up', customer, status: 'canceled' } },
      ...changes,
    });
  const traces = async () => [await db().stripeEvent.count(), await account()];

  test.each<[string, Parameters<StripeSteps['knock']>[1], Record<string, unknown>, number]>([
    ['forged', { secret: 'whsec_of_somebody_else' }, {}, 401],
    ['replayed after five minutes', { secondsAgo: 301 }, {}, 401],
    ['of an unknown type', {}, { type: 'payout.paid' }, 200],
    ['of the live mode', {}, { livemode: true }, 200],
    ['about nothing', {}, { data: { object: { id: 'x' } } }, 200],
    ['named by a text that cannot be stored', {}, { id: 'evt_\0' }, 200],
    [
      'about a customer that cannot be stored',
      {},
      { data: { object: { id: 'x', customer: 'cus_\0' } } },
      200,
    ],
  ])('changes nothing for an event that is %s', async (_, how, changes, status) => {
    await till.buy();
    await till.drain();
    const before = await traces();
    expect(await till.knock(eventOf((await account()).stripeCustomerId ?? '', changes), how)).toBe(status);
    await till.drain();
    expect(await traces()).toEqual(before);
  });

  test('refuses calls that are not signed or not JSON, and ignores unknown customers', async () => {
    expect((await fetch(`${product.url}/api/stripe/webhook`, { method: 'POST', body: '{}' })).status).toBe(
      401,
    );
    expect(await till.knock('not json')).toBe(400);
    expect(await till.knock(eventOf('cus_of_somebody_else'))).toBe(200);
    expect(await db().stripeEvent.count()).toBe(0);
  });

  test.each(['t=1,v1=', 't=,v1=', 'v1=aa,v1=', 't=1', '=', ','])(
    'refuses %j as a signature, like any other that does not match',
    async (signature) => {
      const response = await fetch(`${product.url}/api/stripe/webhook`, {
        method: 'POST',
        headers: { 'stripe-signature': signature },
        body: '{}',
      });
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: 'Bad signature.', code: 'unauthorized' },
      ]);
    },
  );

  test('gives an account back the customer that an older backup did not know', async () => {
    await till.buy();
    await till.drain();
    const { id, stripeCustomerId } = await account();
    const lost = {
      stripeCustomerId: null,
      stripeSubscriptionId: null,
      status: 'trial',
      paidPeriodStart: null,
    };
    await db().account.updateMany({ data: lost });
    const renewal = { id: 'sub_x', customer: stripeCustomerId };
    const naming = (metadata: object | null) =>
      eventOf('', { livemode: undefined, data: { object: { ...renewal, metadata } } });
    for (const other of [null, { accountId: 'none' }, { accountId: randomUUID() }]) {
      expect(await till.knock(naming(other))).toBe(200);
    }
    // Whoever opens a payment link chooses this.
    const chosen = { ...renewal, client_reference_id: id };
    expect(await till.knock(eventOf('', { data: { object: chosen } }))).toBe(200);
    await till.drain();
    expect(await account()).toMatchObject(lost);
    expect(await till.knock(naming({ accountId: id }))).toBe(200);
    await till.drain();
    expect(await account()).toMatchObject({ stripeCustomerId, status: 'active' });
  });

  test('and keeps it, although a checkout makes another one meanwhile', async () => {
    await till.buy();
    await till.drain();
    const { id, stripeCustomerId } = await account();
    await db().account.updateMany({ data: { stripeCustomerId: null, stripeSubscriptionId: null } });
    // With other details, Stripe makes another customer under another key.
    await db().account.updateMany({ data: { discordUsername: 'mira.renamed' } });
    const slow = { target: 'stripe', kind: 'slow', match: 'POST /v1/customers$', status: 500 } as const;
    const { faults } = product.sandbox.context;
    faults.add({ ...slow, times: 1, delayMs: 9000 });
    const before = await customers();
    const opening = post('create-checkout-session');
    await eventually(async () => faults.list().some(({ hits }) => hits > 0));
    await db().account.update({ where: { id }, data: { stripeCustomerId } });
    faults.release();
    expect(await opening).toMatchObject({
      body: { error: expect.stringMatching(/already has a subscription/) },
    });
    await till.drain();
    expect((await account()).stripeCustomerId).toBe(stripeCustomerId);
    await expect.poll(customers).toEqual(before);
  });

  test("processes a repeated event once, and trusts Stripe's present state rather than the event", async () => {
    await till.buy();
    await till.drain();
    const { stripeCustomerId } = await account();
    const known = await db().stripeEvent.count();
    const lie = eventOf(stripeCustomerId ?? '');
    for (let time = 0; time < 3; time += 1) expect(await till.knock(lie)).toBe(200);
    await till.drain();
    expect(await db().stripeEvent.count()).toBe(known + 1);
    expect((await till.subscription()).status).toBe('active');
  });
});
