import { generateKeyPairSync } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TestProduct } from '@/lib/testing/product';
import { identityKeys } from '../../sandbox/identity/identity-state';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

async function statusWith(authorization: string | null): Promise<number> {
  const headers = authorization === null ? undefined : { authorization };
  const response = await fetch(`${product.url}/api/app/me`, { headers });
  if (response.status !== 200) {
    expect(await response.json()).toEqual({ error: expect.any(String), code: 'unauthorized' });
  }
  return response.status;
}

const withClaims = async (claims: Record<string, unknown>) =>
  statusWith(`Bearer ${await product.bearer('mira', claims)}`);
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

describe('while the identity provider does not answer', () => {
  test.each(['openid-configuration', 'jwks'])('(%s) no token is called invalid', async (match) => {
    const { faults } = product.sandbox.context;
    faults.add({ target: 'identity', kind: 'fail', match, times: 0, status: 503, delayMs: 0 });
    const authorization = `Bearer ${await product.bearer('mira')}`;
    const response = await fetch(`${product.url}/api/app/me`, { headers: { authorization } });
    faults.clear();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'unavailable' });
  });

  test('the log says why, once a minute', async () => {
    vi.resetModules();
    const { log } = await import('@/lib/log');
    const { signInUnavailable } = await import('./sign-in-unavailable');
    const error = vi.spyOn(log, 'error').mockImplementation(() => undefined);
    const cause = new Error('it names another issuer');
    for (let call = 0; call < 3; call += 1) signInUnavailable(cause);
    expect(error.mock.calls).toEqual([[{ err: cause }, 'the sign-in service fails']]);
    error.mockRestore();
  });
});

describe('a token of our identity provider', () => {
  test('is accepted with the audience in a list, in a text, or with the client under its other name', async () => {
    const { audience, clientId } = product.sandbox.context.credentials.auth0;
    expect(await withClaims({})).toBe(200);
    expect(await withClaims({ aud: audience })).toBe(200);
    expect(await withClaims({ azp: undefined, client_id: clientId })).toBe(200);
  });

  test.each([
    ['for another audience', { aud: 'https://other.example' }],
    ['for no audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://other.example/' }],
    ['of no issuer', { iss: undefined }],
    ['for another client', { azp: 'another-client' }],
    ['for no client', { azp: undefined }],
    ['that names our client only in second place', { azp: 'another-client', client_id: 'ours' }],
    ['without a subject', { sub: undefined }],
    ['with an empty subject', { sub: '' }],
    ['with a subject that no database can store', { sub: 'discord|1\0' }],
    ['without an expiry', { exp: undefined }],
    ['that has expired', { exp: inSeconds(-60) }],
    ['that is not valid yet', { nbf: inSeconds(600) }],
  ])('is refused %s', async (_, claims) => {
    expect(await withClaims(claims)).toBe(401);
  });
});

describe('a token that our identity provider did not sign', () => {
  const claims = () => {
    const { context } = product.sandbox;
    const { audience, clientId } = context.credentials.auth0;
    return {
      iss: `${context.urls.identity}/`,
      sub: 'oauth2|discord-dev|208917000000000101',
      aud: audience,
      azp: clientId,
      exp: inSeconds(600),
    };
  };
  const kid = () => identityKeys(product.sandbox.context).signing.kid;

  test('is refused when somebody else signed it under our key id', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: kid() })
      .sign(privateKey);
    expect(await statusWith(`Bearer ${token}`)).toBe(401);
  });

  test('is refused when it names an unknown key', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const token = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'unknown' })
      .sign(privateKey);
    expect(await statusWith(`Bearer ${token}`)).toBe(401);
  });

  test('is refused when the public key serves as a shared secret', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(identityKeys(product.sandbox.context).signing.n));
    const token = await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: kid() }).sign(secret);
    expect(await statusWith(`Bearer ${token}`)).toBe(401);
  });

  test('is refused without any signature', async () => {
    expect(await statusWith(`Bearer ${new UnsecuredJWT(claims()).encode()}`)).toBe(401);
  });

  test('is refused when its claims were changed afterwards', async () => {
    const [header, , signature] = (await product.bearer('mira')).split('.');
    const changed = Buffer.from(JSON.stringify({ ...claims(), sub: 'somebody' })).toString('base64url');
    expect(await statusWith(`Bearer ${header}.${changed}.${signature}`)).toBe(401);
  });
});

test.each([
  null,
  '',
  'Bearer',
  'Bearer ',
  'Bearer a.b.c',
  'Bearer x y',
  'Basic bWlyYTptaXJh',
  'Bearer ü'.slice(0, 7),
])('the header %j is no token', async (authorization) => {
  expect(await statusWith(authorization)).toBe(401);
});

test('a cookie authenticates nobody', async () => {
  const token = await product.bearer('mira');
  const cookie = `next-auth.session-token=${token}; access_token=${token}`;
  const response = await fetch(`${product.url}/api/app/me`, { headers: { cookie } });
  expect(response.status).toBe(401);
});

test('an account from a connection that is not ours has no Discord identity', async () => {
  const token = await product.bearer('mira', { sub: 'oauth2|elsewhere|208917000000000101' });
  const response = await fetch(`${product.url}/api/app/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await response.json()).user.discordUserId).toBeNull();
});
