import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';

const paths: string[] = [];
const server = createServer((request, response) => {
  paths.push(request.url ?? '');
  response.setHeader('content-type', 'application/json');
  response.end('{"object":"customer","id":"cus_1"}');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
});

async function connectTo(address: string) {
  vi.stubEnv('STRIPE_API_URL', address);
  vi.resetModules();
  const { stripe } = await import('./stripe-client');
  return stripe();
}

test('calls go below the whole address of the API, including its path', async () => {
  const stripe = await connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe/`);
  expect(await stripe.customers.retrieve('cus_1')).toMatchObject({ id: 'cus_1' });
  await stripe.customers.list({ email: 'mira@example.com' });
  expect(paths).toEqual(['/stripe/v1/customers/cus_1', '/stripe/v1/customers?email=mira%40example.com']);
});

test('an address without a port means the port of its scheme', async () => {
  const stripe = await connectTo('http://127.0.0.1');
  const refused = await stripe.customers.retrieve('cus_1', {}, { maxNetworkRetries: 0 }).catch(inspect);
  expect(refused).toContain('ECONNREFUSED 127.0.0.1:80');
});
