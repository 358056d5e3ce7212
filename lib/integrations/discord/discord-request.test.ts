import { expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';

interface Refusal {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

let refusal: Refusal;
answerAt('DISCORD_API_URL', (_, response) => {
  const { status, headers, body } = refusal;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});

const ofEdge = (retryAfter?: string): Refusal => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  body: '<html></html>',
});

test.each<[string, Refusal, Record<string, unknown>]>([
  [
    'a limit, by its body',
    {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'Slow down', retry_after: 0.64, global: false },
    },
    { retryAfterMs: 640, isGlobalLimit: false, message: 'Slow down' },
  ],
  [
    'a limit of its own that says neither how long nor for what, as for edits of old messages',
    { status: 429, body: { message: 'Maximum number of edits', code: 30_046 } },
    { retryAfterMs: undefined, isGlobalLimit: false, code: 30_046 },
  ],
  [
    'a limit that says only that it is not of the whole bot',
    { status: 429, headers: { 'retry-after': '2' }, body: { message: 'Slow down', global: false } },
    { retryAfterMs: 2000, isGlobalLimit: false },
  ],
  [
    'a limit of the whole bot that only the headers name',
    {
      status: 429,
      headers: { 'retry-after': '2', 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' },
      body: { message: 'Slow down', retry_after: 1.5 },
    },
    { retryAfterMs: 1500, isGlobalLimit: true },
  ],
  [
    'a limit without a sensible end, which is tried again after a day',
    { status: 429, body: { message: 'Slow down', retry_after: 1e15, global: false } },
    { retryAfterMs: 86_400_000, isGlobalLimit: false },
  ],
  ['a block by the network edge, by its header', ofEdge('3'), { retryAfterMs: 3000, isGlobalLimit: true }],
  [
    'a block by the network edge until a date',
    ofEdge('Fri, 27 Nov 2026 16:00:00 GMT'),
    { retryAfterMs: 60_000, isGlobalLimit: true },
  ],
  ['a block by the network edge without an end', ofEdge(), { retryAfterMs: 60_000, isGlobalLimit: true }],
])('an error tells how long to wait after %s', async (_, given, told) => {
  refusal = given;
  const { DiscordError, discordRequest } = await import('./discord-request');
  const error = await discordRequest('GET', '/users/@me').catch((reason) => reason);
  expect(error).toBeInstanceOf(DiscordError);
  expect(error).toMatchObject({ status: 429, ...told });
});

test.each<[string, Refusal, unknown]>([
  ['JSON is what Discord said', { status: 200, body: { id: '1' } }, { body: { id: '1' } }],
  ['no body is success', { status: 204, body: '' }, { exhaustedForMs: 0 }],
  ...[200, 302, 400, 401, 404].map((status): [string, Refusal, unknown] => [
    `a page of something in between is no answer, although its status is ${status}`,
    { status, body: '<html></html>' },
    { status: 0, isTransient: true },
  ]),
  [
    'a refusal of a code that has no number of its own',
    { status: 400, body: { error: 'invalid_grant' } },
    { status: 400, isInvalidGrant: true },
  ],
])('a call that only has to succeed: %s', async (_, given, outcome) => {
  refusal = given;
  const { discordRequest } = await import('./discord-request');
  const answer = await discordRequest('DELETE', '/users/@me/guilds/1').catch((reason) => reason);
  expect(answer).toMatchObject(outcome as object);
});
