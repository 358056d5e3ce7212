import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { HOUR_MS } from '@/lib/time';

const REFRESH = { grant_type: 'refresh_token', refresh_token: 'token' };
const CLIENT = {
  client_id: COMPLETE_ENVIRONMENT['AUTH0_CLIENT_ID'],
  client_secret: COMPLETE_ENVIRONMENT['AUTH0_CLIENT_SECRET'],
};
const BASIC = `Basic ${btoa(Object.values(CLIENT).join(':'))}`;

let methods: string[] | undefined;
let isDown = false;
let sent: { authorization: string | undefined; form: object };
answerAt('AUTH0_DOMAIN', async (request, response) => {
  if (isDown) return void response.writeHead(503).end();
  const here = `http://${request.headers.host}`;
  const endpoints = { authorization_endpoint: here, token_endpoint: here, jwks_uri: here };
  const document = { issuer: here, ...endpoints, token_endpoint_auth_methods_supported: methods };
  if (request.method === 'POST') {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    sent = { authorization: request.headers.authorization, form };
  }
  response.end(JSON.stringify(request.method === 'POST' ? { access_token: 'a.b.c' } : document));
});

test.each<[string, string[] | undefined, object]>([
  ['nothing', undefined, { authorization: BASIC, form: REFRESH }],
  ['several', ['client_secret_post', 'client_secret_basic'], { authorization: BASIC, form: REFRESH }],
  ['only the form', ['client_secret_post', 'private_key_jwt'], { form: { ...REFRESH, ...CLIENT } }],
])('the client proves itself as the provider wants: it names %s', async (_, named, expected) => {
  methods = named;
  vi.resetModules();
  const { refreshTokens } = await import('./identity-provider');
  expect(await refreshTokens('token')).toEqual({ access_token: 'a.b.c' });
  expect(sent).toEqual(expected);
});

test('endpoints that have moved are found, and the known ones serve while the provider is down', async () => {
  vi.resetModules();
  const { discover } = await import('./identity-provider');
  methods = ['client_secret_post'];
  const found = async () => (await discover()).token_endpoint_auth_methods_supported;
  expect(await found()).toEqual(methods);
  methods = ['client_secret_basic'];
  expect(await found()).toEqual(['client_secret_post']);

  isDown = true;
  vi.setSystemTime(Date.now() + HOUR_MS);
  expect(await found()).toEqual(['client_secret_post']);
  isDown = false;
  await expect
    .poll(() => {
      vi.setSystemTime(Date.now() + HOUR_MS);
      return found();
    })
    .toEqual(methods);
  vi.useRealTimers();
});
