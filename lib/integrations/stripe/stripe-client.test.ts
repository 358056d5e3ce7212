import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  vi.stubEnv('STRIPE_API_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe/`);
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  server.closeAllConnections();
});

test('calls go below the whole address of the API, including its path', async () => {
  vi.resetModules();
  const { stripe } = await import('./stripe-client');
  expect(await stripe().customers.retrieve('cus_1')).toMatchObject({ id: 'cus_1' });
  expect(paths).toEqual(['/stripe/v1/customers/cus_1']);
});
