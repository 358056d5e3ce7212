import { expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';

let subscription: unknown;
answerAt('STRIPE_API_URL', (_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', has_more: false, data: [subscription] }));
});

const [START, END, LATER] = [1_795_000_000, 1_797_592_000, 1_800_184_000];
const period = { current_period_start: START, current_period_end: END };
const item = (more: object) => ({ price: { id: 'price_of_something_else' }, ...more });
const lasting = { periodStart: new Date(START * 1000), periodEnd: new Date(END * 1000) };

test.each<[string, object, object]>([
  ['its items', { items: { data: [item(period), item({ ...period, current_period_end: LATER })] } }, lasting],
  ['the subscription, as before 2025', { items: { data: [item({})] }, ...period }, lasting],
  ['neither', { items: { data: [item({})] } }, { periodStart: null, periodEnd: null }],
])('the period of a subscription is read from %s', async (_, fields, expected) => {
  const { listSubscriptions } = await import('./stripe-subscriptions');
  subscription = {
    id: 'sub_1',
    object: 'subscription',
    status: 'active',
    created: START,
    cancel_at: null,
    cancel_at_period_end: false,
    trial_end: null,
    ended_at: null,
    metadata: {},
    ...fields,
  };
  expect(await listSubscriptions('cus_1')).toMatchObject([{ id: 'sub_1', status: 'active', ...expected }]);
});

test('what Stripe leaves out of a subscription counts as not set', async () => {
  const { listSubscriptions } = await import('./stripe-subscriptions');
  subscription = {
    id: 'sub_1',
    object: 'subscription',
    status: 'active',
    created: START,
    items: { data: [] },
  };
  const nothing = { periodStart: null, periodEnd: null, cancelsAt: null, trialEndsAt: null, endedAt: null };
  expect(await listSubscriptions('cus_1')).toMatchObject([{ ...nothing, accountId: null, isOfPlan: false }]);
});
