import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';

let subscription: unknown;
const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', has_more: false, data: [subscription] }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('STRIPE_API_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.resetModules();
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
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
