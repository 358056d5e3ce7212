import { createHash, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { db } from '@/lib/db/database';
import { ResponseTooLarge } from '@/lib/integrations/http-call';
import { log } from '@/lib/log';
import { comeBackFromProvider, redirectUri } from '@/lib/testing/browser-session';
import { TestProduct } from '@/lib/testing/product';
import { authOptions } from './auth-options';
import { exchangeSignIn } from './exchange-sign-in';

const MIRA = 'oauth2|discord-dev|208917000000000101';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());
afterEach(() => {
  product.sandbox.context.faults.clear();
  vi.restoreAllMocks();
});

/** A sign-in as it comes back, with what the browser's cookies say about it; a test changes parts of either. */
async function comeBack(change: { params?: Record<string, string | undefined>; checks?: object } = {}) {
  const checks = { state: randomUUID(), nonce: randomUUID(), code_verifier: randomUUID() + randomUUID() };
  const query = await comeBackFromProvider(product, 'mira', {
    state: checks.state,
    nonce: checks.nonce,
    code_challenge: createHash('sha256').update(checks.code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const provider = { callbackUrl: redirectUri(product) };
  const context = {
    params: { ...query, ...change.params },
    checks: { ...checks, ...change.checks },
    provider,
  };
  return exchangeSignIn(context as never);
}

const fault = (
  kind: 'fail' | 'slow' | 'hangup' | 'flood',
  more: { status?: number; delayMs?: number } = {},
) =>
  product.sandbox.context.faults.add({
    target: 'identity',
    kind,
    match: 'POST /oauth/token',
    times: 1,
    status: 500,
    delayMs: 0,
    ...more,
  });

test('a code becomes the tokens of the person who signed in', async () => {
  const { tokens } = await comeBack();
  expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
});

test.each([
  ['of another browser', { checks: { state: 'another' } }, 'the state of another sign-in'],
  ['without a state', { params: { state: undefined } }, 'the state of another sign-in'],
  ['of another issuer', { params: { iss: 'https://elsewhere.example/' } }, 'another issuer'],
  ['that hides its issuer', { params: { iss: undefined } }, 'another issuer'],
  ['without a code', { params: { code: undefined } }, 'no code'],
  ['with a code that nobody issued', { params: { code: 'made-up' } }, 'answered 400 invalid_grant'],
  [
    'with the verifier of another',
    { checks: { code_verifier: 'a'.repeat(43) } },
    'answered 400 invalid_grant',
  ],
  ['with the id token of another', { checks: { nonce: 'another' } }, 'the id token of another sign-in'],
  ['whose browser remembers no nonce', { checks: { nonce: undefined } }, 'nonce'],
])('a sign-in %s is refused', async (_, change, reason) => {
  await expect(comeBack(change)).rejects.toThrow(reason);
});

test.each([
  ['verified', true, 'mira@lanternworks.example'],
  ['not verified', false, null],
  ['not known to be verified', null, 'mira@lanternworks.example'],
])('the e-mail address of an account, when it is %s', async (_, emailVerified, expected) => {
  const control = (change: object) =>
    fetch(`${product.sandbox.context.urls.identity}/_sandbox/identity`, {
      method: 'POST',
      body: JSON.stringify(change),
    });
  await control({ emailVerified: true });
  await beginSession();
  await control({ emailVerified });
  const token = await beginSession();
  await control({ emailVerified: true });
  expect(token?.profile.email).toBe(expected);
  const { email } = await db().account.findUniqueOrThrow({ where: { subject: MIRA } });
  expect(email).toBe(expected);
});

/** Signs Mira in. Returns what the session's cookie holds. */
async function beginSession() {
  const { tokens } = await comeBack();
  const profile = decodeJwt(tokens.id_token ?? '');
  const { callbacks } = authOptions({ whenUnknown: () => {} });
  const account = { provider: 'auth0', type: 'oauth', providerAccountId: MIRA, ...tokens } as const;
  return callbacks?.jwt?.({ token: {} as never, user: { id: MIRA }, account, profile: profile as never });
}

test('a provider whose answer does not end is cut off', async () => {
  fault('flood');
  await expect(comeBack()).rejects.toThrow(ResponseTooLarge);
});

test.each([
  ['takes 20 seconds', 'slow', { delayMs: 20_000 }, 'no answer in time'],
  ['fails', 'fail', { status: 503 }, 'answered 503'],
  ['hangs up', 'hangup', {}, /socket hang up|answered 400 invalid_grant/],
] as const)('a provider that %s ends the sign-in and nothing else', async (_, kind, more, reason) => {
  fault(kind, more);
  await expect(comeBack()).rejects.toThrow(reason);
  expect((await comeBack()).tokens.id_token).toBeDefined();
});

test('what a caller wrote never gets into the log', () => {
  const warn = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
  const { logger } = authOptions({ whenUnknown: () => {} });
  logger?.error?.('INVALID_CALLBACK_URL_ERROR', new Error('Received: NOTION_WEBHOOK_TOKEN=secret_forged'));
  logger?.error?.('OAUTH_CALLBACK_HANDLER_ERROR', {
    error: new Error('forged'),
    error_description: 'forged',
  });
  logger?.warn?.('NEXTAUTH_URL');
  expect(JSON.stringify(warn.mock.calls)).not.toContain('forged');
  expect(warn).toHaveBeenCalledTimes(2);
});
