import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issuerKeys } from './issuer-keys';

let published: JWK[] = [];
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

async function isAccepted({ kid, privateKey }: Awaited<ReturnType<typeof makeKey>>): Promise<boolean> {
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
  const keys = issuerKeys(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`);
  return jwtVerify(token, keys).then(
    () => true,
    () => false,
  );
}

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
