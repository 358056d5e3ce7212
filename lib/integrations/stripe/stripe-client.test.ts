import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';

const paths: string[] = [];
let answer: { status: number; body: unknown } = { status: 200, body: { object: 'customer', id: 'cus_1' } };
const server = createServer((request, response) => {
  paths.push(request.url ?? '');
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

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
  const stripe = await connectTo(`${address()}/stripe/`);
  expect(await stripe.customers.retrieve('cus_1')).toMatchObject({ id: 'cus_1' });
  await stripe.customers.list({ email: 'mira@example.com' });
  expect(paths).toEqual(['/stripe/v1/customers/cus_1', '/stripe/v1/customers?email=mira%40example.com']);
});

test('an address without a port means the port of its scheme', async () => {
  const stripe = await connectTo('http://127.0.0.1');
  const refused = await stripe.customers.retrieve('cus_1', {}, { maxNetworkRetries: 0 }).catch(inspect);
  expect(refused).toContain('ECONNREFUSED 127.0.0.1:80');
});

const refusal = (message: string, more: object = {}) => ({
  error: { type: 'invalid_request_error', message, ...more },
});

test.each<[string, number, unknown, { anything: boolean; customer: boolean }]>([
  [
    'its code',
    400,
    refusal("No such customer: 'cus_1'", { code: 'resource_missing', param: 'customer' }),
    { anything: true, customer: true },
  ],
  [
    'a code about another parameter',
    400,
    refusal("No such price: 'price_of_customer'", {
      code: 'resource_missing',
      param: 'line_items[0][price]',
    }),
    { anything: true, customer: false },
  ],
  ['only its status', 404, refusal("No such customer: 'cus_1'"), { anything: true, customer: true }],
  ['only its status, about a price', 404, refusal("No such price: 'x'"), { anything: true, customer: false }],
  [
    'a path that is not known',
    404,
    refusal('Unrecognized request URL (GET: /v1/customers/cus_1).'),
    { anything: false, customer: false },
  ],
  ['another refusal', 400, refusal('Invalid customer'), { anything: false, customer: false }],
  ['a page of somebody else', 404, '<html>customer</html>', { anything: false, customer: false }],
])('an answer of Stripe says that something is missing by %s', async (_, status, body, expected) => {
  answer = { status, body };
  const stripe = await connectTo(address());
  const { isMissingAtStripe } = await import('./stripe-client');
  const once = { maxNetworkRetries: 0 };
  const error = await stripe.customers.retrieve('cus_1', {}, once).catch((refused) => refused);
  const said = { anything: isMissingAtStripe(error), customer: isMissingAtStripe(error, 'customer') };
  expect(said).toEqual(expected);
});

test.each<[string, number, unknown]>([
  ['a page', 200, '<html>Welcome</html>'],
  ['nothing', 200, ''],
  ['null', 200, 'null'],
  ['a list', 200, []],
  ['JSON that is no object of Stripe', 200, { message: 'Welcome' }],
  ['JSON that is no error of Stripe', 503, { message: 'Service Unavailable' }],
  ['an error in words', 502, { error: 'Bad Gateway' }],
  ['an object with the status of a failure', 503, { object: 'customer', id: 'cus_1', deleted: true }],
])('Stripe has not answered when %s comes back with %i', async (_, status, body) => {
  answer = { status, body };
  const stripe = await connectTo(address());
  const { isKeptByStripe, isStripeError } = await import('./stripe-client');
  const error = await stripe.customers.del('cus_1', {}, { maxNetworkRetries: 0 }).catch((failed) => failed);
  expect([isStripeError(error), isKeptByStripe(error)]).toEqual([true, false]);
});
