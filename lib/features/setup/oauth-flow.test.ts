import { NextRequest } from 'next/server';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { db } from '@/lib/db/database';
import { log } from '@/lib/log';
import { comeBack, type OauthService, setupError, startOauthFlow } from '@/lib/testing/oauth-flows';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

const INVALID = setupError('invalid_state');

describe.each<OauthService>(['discord', 'notion'])('the return from %s', (service) => {
  test("after a cancel leads to the setup page with the service's message and name", async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    const described = { error: 'access_denied', error_description: 'The resource owner said no', state };
    expect(await comeBack(product, service, described, cookie)).toBe(
      `${setupError('oauth_failed', 'The resource owner said no')}&cancelled=${service}`,
    );
    expect(await comeBack(product, service, { error: 'access_denied', state }, cookie)).toBe(
      `${setupError('oauth_failed', 'access_denied')}&cancelled=${service}`,
    );
    expect(await comeBack(product, service, { error: 'server_error', state }, cookie)).toBe(
      setupError('oauth_failed', 'server_error'),
    );
  });

  test('after a cancel cannot be made again with the same state', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    await comeBack(product, service, { error: 'access_denied', state }, cookie);
    expect(await comeBack(product, service, { code: 'abc', state }, cookie)).toBe(INVALID);
  });

  test('with a very long description keeps only the beginning', async () => {
    const landed = await comeBack(product, service, { error: 'x', error_description: 'y'.repeat(5000) }, '');
    expect(landed).toBe(setupError('oauth_failed', 'y'.repeat(300)));
  });

  test.each([
    ['nothing', {}],
    ['only a code', { code: 'abc' }],
    ['only a state', { state: 'abc' }],
    ['an empty code', { code: '', state: 'abc' }],
  ])('with %s is refused for missing parameters', async (_, query) => {
    expect(await comeBack(product, service, query, '')).toBe(setupError('missing_parameters'));
  });

  test('with a forged state is refused', async () => {
    const { cookie } = await startOauthFlow(product, service, 'mira');
    expect(await comeBack(product, service, { code: 'abc', state: 'forged' }, cookie)).toBe(INVALID);
  });

  test('with an expired state is refused', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    await db().oauthState.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await comeBack(product, service, { code: 'abc', state }, cookie)).toBe(INVALID);
  });

  test('in another browser is refused, with another secret or with none', async () => {
    const { state } = await startOauthFlow(product, service, 'mira');
    const other = await startOauthFlow(product, service, 'vera');
    expect(await comeBack(product, service, { code: 'abc', state }, other.cookie)).toBe(INVALID);
    expect(await comeBack(product, service, { code: 'abc', state }, '')).toBe(INVALID);
  });

  test('after a logout in that browser is refused, because somebody else may have signed in', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    const { GET: logOut } = await import('@/app/logout/route');
    const answer = await logOut(new NextRequest(`${product.url}/logout`), undefined);
    const [name] = cookie.split('=');
    expect(answer.headers.getSetCookie()).toEqual([`${name}=; Path=/api; HttpOnly; SameSite=Lax; Max-Age=0`]);
    expect(await comeBack(product, service, { code: 'abc', state }, '')).toBe(INVALID);
  });

  test('with the state of the other service is refused', async () => {
    const { state, cookie } = await startOauthFlow(
      product,
      service === 'discord' ? 'notion' : 'discord',
      'mira',
    );
    expect(await comeBack(product, service, { code: 'abc', state }, cookie)).toBe(INVALID);
  });

  test('with a code that the service does not know fails, and has used up the state', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    const query = { code: 'unknown', state };
    const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined);
    expect(await comeBack(product, service, query, cookie)).toBe(setupError('token_exchange_failed'));
    expect(await comeBack(product, service, query, cookie)).toBe(INVALID);
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  test('to a service that refuses our client secret fails, and is logged as an error', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    const credentials = product.sandbox.context.credentials[service];
    const right = credentials.clientSecret;
    credentials.clientSecret = 'another';
    const logged = vi.spyOn(log, 'error').mockImplementation(() => undefined);
    const query = { code: 'unknown', state };
    expect(await comeBack(product, service, query, cookie)).toBe(setupError('token_exchange_failed'));
    credentials.clientSecret = right;
    expect(logged.mock.calls.map(([, line]) => line)).toEqual([
      expect.stringMatching(/ code not exchanged$/),
    ]);
    logged.mockRestore();
  });

  test('ten times at once succeeds once', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    const query = { code: 'unknown', state };
    const landed = await Promise.all(
      Array.from({ length: 10 }, () => comeBack(product, service, query, cookie)),
    );
    expect(landed.filter((path) => path !== INVALID)).toEqual([setupError('token_exchange_failed')]);
  });

  test('keeps neither the state nor the secret of the browser in the database', async () => {
    const { state, cookie } = await startOauthFlow(product, service, 'mira');
    const rows = JSON.stringify(await db().oauthState.findMany());
    expect(rows).not.toContain(state);
    expect(rows).not.toContain(cookie.split('=')[1]);
  });
});

test('each flow keeps the secret of the browser, and makes its cookie last anew', async () => {
  const first = await startOauthFlow(product, 'discord', 'mira');
  const answer = await fetch(`${product.url}/api/discord/bot-install/url`, {
    headers: { authorization: `Bearer ${await product.bearer('mira')}`, cookie: first.cookie },
  });
  expect(answer.headers.get('set-cookie')).toBe(
    `${first.cookie}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=3600`,
  );
});

test('scripts and other sites cannot read the secret of the browser', async () => {
  const answer = await product.call('mira', 'GET', '/api/discord/bot-install/url');
  expect(answer.headers.get('set-cookie')).toMatch(
    /^pagewire-browser=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=3600$/,
  );
});
