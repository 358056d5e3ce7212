import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areKeysMissing, verifyToken } from './issuer-keys';

let published: unknown[] = [];
let reads = 0;
const server = createServer((_, response) => {
  reads += 1;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ keys: published }));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function makeKey(kid: string): Promise<{ kid: string; privateKey: CryptoKey; jwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

type Signing = Pick<Awaited<ReturnType<typeof makeKey>>, 'privateKey'> & { kid?: string };

async function verify({ kid, privateKey }: Signing, path = '/jwks.json') {
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  return verifyToken(token, `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {});
}

const isAccepted = (signing: Signing, path?: string): Promise<boolean> =>
  verify(signing, path).then(
    () => true,
    () => false,
  );

test('a new key of the provider is known at once, and unknown ones are not looked for each time', async () => {
  const [former, current, unknown] = await Promise.all(['former', 'current', 'unknown'].map(makeKey));
  if (!former || !current || !unknown) throw new Error('no keys');
  published = [former.jwk];
  expect(await isAccepted(former)).toBe(true);
  published = [current.jwk, former.jwk];
  expect(await isAccepted(current)).toBe(true);
  expect(await isAccepted(former)).toBe(true);
  const before = reads;
  const flood = await Promise.all(Array.from({ length: 20 }, () => isAccepted(unknown)));
  expect(flood).toEqual(Array(20).fill(false));
  expect(reads - before).toBeLessThan(20);
});

test('a token that names no key is tried with every key of the provider', async () => {
  const [former, current, unknown] = await Promise.all(['former', 'current', 'unknown'].map(makeKey));
  if (!former || !current || !unknown) throw new Error('no keys');
  published = [current.jwk, former.jwk];
  const unnamed = ({ privateKey }: Signing) => isAccepted({ privateKey }, '/several.json');
  expect(await Promise.all([former, current, unknown].map(unnamed))).toEqual([true, true, false]);
});

test('an answer without keys says nothing about a token', async () => {
  const key = await makeKey('current');
  published = ['no key'];
  expect(areKeysMissing(await verify(key, '/others.json').catch((error) => error))).toBe(true);
});
