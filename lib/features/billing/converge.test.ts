import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { toStatus } from './posting-permission';
import { rereadSubscriptions } from './sync-subscription';

let product: TestProduct;
let till: StripeSteps;

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
  await product.control('stripe', 'PATCH', '/settings', { retryBaseMs: 10 });
  await product.work();
});
afterAll(() => product.stop());

const CHARGED = ['active', 'trialing', 'past_due', 'unpaid'];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      card: fc.constantFrom('good', 'fading', 'declined'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'buy past the product' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      action: fc.constantFrom('cancel-now', 'cancel-at-period-end', 'resume'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('card' as const), card: fc.constantFrom('good', 'fading') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('webhooks' as const),
      fault: fc.constantFrom('drop', 'duplicate', 'delay', 'reorder', 'fail'),
      times: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant({ do: 'refresh' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'settle' as const }) },
);

// A reordered event is sent after the next one, and there may be no next one.
const losesEvents = (each: Step) => each.do === 'webhooks' && ['drop', 'reorder'].includes(each.fault);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const row = () => db().account.findFirstOrThrow();
const mine = async () => {
  const { stripeCustomerId } = await row();
  return (await till.subscriptions()).filter(({ customer }) => customer === stripeCustomerId);
};
const charged = async () => (await mine()).filter(({ status }) => CHARGED.includes(status));

async function take(each: Step): Promise<void> {
  const { id, stripeCustomerId } = await row();
  const [running] = await charged();
  if (each.do === 'buy') {
    const { status, body } = await product.call('mira', 'POST', '/api/app/billing/create-checkout-session');
    expect(status).toBe(running ? 409 : 200);
    if (status === 200) await till.pay(body.url, each.card);
  }
  if (each.do === 'buy past the product' && stripeCustomerId)
    await till.buyPastTheProduct(stripeCustomerId, id);
  if (each.do === 'change' && running) await till.change(running.id, each.action);
  if (each.do === 'card' && running) {
    await product.control('stripe', 'POST', `/customers/${stripeCustomerId}/card`, { card: each.card });
  }
  if (each.do === 'pass') await till.advanceDays(each.days);
  if (each.do === 'webhooks') till.fault(each.fault, undefined, each.times);
  if (each.do === 'repeat') {
    const events: { payload: { id: string } }[] = await product.control('stripe', 'GET', '/events');
    const event = events[each.which % Math.max(1, events.length)];
    if (event) await product.control('stripe', 'POST', `/events/${event.payload.id}/redeliver`);
  }
  if (each.do === 'refresh') await product.call('mira', 'POST', '/api/app/billing/refresh');
  if (each.do === 'settle') await till.drain();
}

test("whatever happens in whatever order, the account's row ends up equal to what Stripe holds", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), fc.boolean(), async (steps, byFlag) => {
      await db().account.deleteMany();
      product.sandbox.context.faults.clear();
      await product.control('stripe', 'PATCH', '/settings', {
        cancelsBy: byFlag ? 'cancel_at_period_end' : 'cancel_at',
      });
      await product.call('mira', 'GET', '/api/app/me');
      for (const each of steps) await take(each);

      product.sandbox.context.faults.clear();
      // Only events that never arrive make another read necessary, not those that are late, repeated or out of order.
      if (steps.some(losesEvents)) await rereadSubscriptions();
      await till.drain();
      const all = await mine();
      const running = all.filter(({ status }) => CHARGED.includes(status));
      expect(running.length).toBeLessThanOrEqual(1);
      const account = await row();
      const [held] = running;
      if (held) {
        const [item] = held.items.data;
        expect(account).toMatchObject({
          status: toStatus(held.status),
          stripeSubscriptionId: held.id,
          paidPeriodStart: new Date(item.current_period_start * 1000),
          paidPeriodEnd: new Date(item.current_period_end * 1000),
          cancelsAt: held.cancel_at === null ? null : new Date(held.cancel_at * 1000),
        });
      } else {
        const status = all.length > 0 ? 'canceled' : 'trial';
        expect(account).toMatchObject({
          status,
          paidPeriodStart: null,
          paidPeriodEnd: null,
          cancelsAt: null,
        });
      }
    }),
    { numRuns: 40 },
  );
});
