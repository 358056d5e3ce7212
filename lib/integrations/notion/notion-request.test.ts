import { expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';
import { DAY_MS, SECOND_MS } from '@/lib/time';

interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

const PAGE_ID = '11111111-1111-4111-8111-111111111111';
let refusal: Refusal;
answerAt('NOTION_API_URL', (_, response) => {
  const { status, headers, body } = refusal;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});

const refused = (code: string, data: Record<string, unknown> = {}) => ({
  object: 'error',
  code,
  message: 'Refused',
  additional_data: data,
});
const committed = { retry_guidance: 'Read it first.', committed_resource_id: PAGE_ID };

test.each<[string, Refusal, Record<string, unknown>]>([
  [
    'a known code, with what was committed',
    { status: 503, body: refused('service_unavailable', committed) },
    { status: 503, code: 'service_unavailable', committedId: PAGE_ID, retryAfterMs: undefined },
  ],
  [
    'a code that the client lacks, with what was committed',
    { status: 503, body: refused('database_connection_unavailable', committed) },
    { status: 503, code: 'database_connection_unavailable', committedId: PAGE_ID },
  ],
  [
    'a bad gateway that says when to retry',
    { status: 502, headers: { 'retry-after': '3' }, body: refused('bad_gateway', committed) },
    { status: 502, code: 'bad_gateway', committedId: PAGE_ID, retryAfterMs: 3 * SECOND_MS },
  ],
  [
    'a limit, which only the body explains',
    { status: 429, body: refused('rate_limited', { retry_after: '7' }) },
    { status: 429, code: 'rate_limited', retryAfterMs: 7 * SECOND_MS },
  ],
  [
    'a limit whose header holds a date',
    {
      status: 429,
      headers: { 'retry-after': new Date(Date.now() + DAY_MS).toUTCString() },
      body: refused('rate_limited'),
    },
    { status: 429, retryAfterMs: expect.closeTo(DAY_MS, -5) },
  ],
  [
    'a limit whose header holds a date that has passed, and whose body says how long it takes',
    {
      status: 429,
      headers: { 'retry-after': new Date(0).toUTCString() },
      body: refused('rate_limited', { retry_after: '7' }),
    },
    { status: 429, retryAfterMs: 7 * SECOND_MS },
  ],
  [
    'a limit without a sensible end, which is tried again after a day',
    { status: 429, headers: { 'retry-after': '1000000000000000' }, body: refused('rate_limited') },
    { status: 429, retryAfterMs: DAY_MS },
  ],
  [
    'a code of OAuth where Notion puts its own',
    { status: 400, body: refused('invalid_grant') },
    { status: 400, code: 'invalid_grant', message: 'Refused', isTransient: false },
  ],
  [
    'a code of OAuth as the standard has it',
    { status: 401, body: { error: 'invalid_client' } },
    { status: 401, code: 'invalid_client' },
  ],
  [
    'a refusal of 403 by Notion',
    { status: 403, body: refused('test_env_error') },
    { status: 403, code: 'test_env_error', isForbidden: true },
  ],
  [
    'a page of the network edge',
    { status: 403, headers: { 'cf-ray': '8c1f00d' }, body: '<html></html>' },
    { status: 0, code: 'no_answer', isTransient: true },
  ],
  ...[302, 400, 401, 404].map((status): [string, Refusal, Record<string, unknown>] => [
    `something else that answers ${status} in place of Notion`,
    { status, headers: { location: '/login' }, body: '<html></html>' },
    { status: 0, code: 'no_answer', isTransient: true, isGone: false },
  ]),
  [
    'an answer that is no JSON',
    { status: 502, body: '<html></html>' },
    { status: 502, isTransient: true, retryAfterMs: 10 * SECOND_MS },
  ],
])('an error tells of %s', async (_, given, told) => {
  refusal = given;
  const { NotionError, notionCall, notionClient } = await import('./notion-request');
  const error = await notionCall(() => notionClient('token').users.me({})).catch((reason) => reason);
  expect(error).toBeInstanceOf(NotionError);
  expect(error).toMatchObject(told);
});
