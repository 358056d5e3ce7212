import { expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';

let answer: { status: number; body: object };
answerAt('STRIPE_API_URL', (_, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer.body));
});

const session = (id: string, status: string) => ({
  id,
  status,
  url: `https://pay.example/${id}`,
  expires_at: 1,
});
const SESSIONS = [session('cs_2', 'open'), session('cs_3', 'expired'), session('cs_1', 'complete')];

test.each([
  ['the newest first', SESSIONS],
  ['the oldest first', SESSIONS.toReversed()],
])('the same sessions are known by the same ids, also when Stripe lists %s', async (_, data) => {
  const { listCheckouts } = await import('./stripe-checkout');
  answer = { status: 200, body: { object: 'list', has_more: false, data } };
  const open = [{ id: 'cs_2', url: 'https://pay.example/cs_2', expiresAt: 1000, isOfPlan: false }];
  expect(await listCheckouts('cus_1')).toEqual({ open, ids: ['cs_1', 'cs_2', 'cs_3'] });
});

test.each([
  [
    'the customer does not exist',
    400,
    { code: 'resource_missing', param: 'customer', message: 'No such customer' },
  ],
  ['nobody lists sessions there', 404, { message: 'Unrecognized request URL (GET: /v1/checkout/sessions).' }],
])('there is no session to reuse when %s', async (_, status, error) => {
  const { listCheckouts } = await import('./stripe-checkout');
  answer = { status, body: { error: { type: 'invalid_request_error', ...error } } };
  expect(await listCheckouts('cus_1')).toEqual({ open: [], ids: [] });
});

test('a refused list is an error', async () => {
  const { listCheckouts } = await import('./stripe-checkout');
  answer = { status: 403, body: { error: { type: 'invalid_request_error', message: 'Not with this key' } } };
  await expect(listCheckouts('cus_1')).rejects.toThrow('Not with this key');
});
