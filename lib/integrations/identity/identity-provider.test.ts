import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';

const REFRESH = { grant_type: 'refresh_token', refresh_token: 'token' };
const CLIENT = {
  client_id: COMPLETE_ENVIRONMENT['AUTH0_CLIENT_ID'],
  client_secret: COMPLETE_ENVIRONMENT['AUTH0_CLIENT_SECRET'],
};
const BASIC = `Basic ${btoa(Object.values(CLIENT).join(':'))}`;

let methods: string[] | undefined;
let sent: { authorization: string | undefined; form: object };
answerAt('AUTH0_DOMAIN', async (request, response) => {
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
