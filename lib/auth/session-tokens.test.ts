import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { signInAtProvider } from '@/lib/testing/browser-session';
import { eventually, TestProduct } from '@/lib/testing/product';
import { accountOf } from './account';
import { createSession, currentAccessToken, expiryOf } from './session-tokens';

const RENEWAL = 'POST /oauth/token';
const LATER = 3600_000;

let product: TestProduct;
let accountId: string;

beforeAll(async () => {
  product = await TestProduct.start();
  accountId = (await accountOf('oauth2|discord-dev|208917000000000101')).id;
});
afterAll(() => product.stop());
beforeEach(async () => {
  faults().clear();
  await db().callClaim.deleteMany();
});

const faults = () => product.sandbox.context.faults;
const fault = (
  kind: 'fail' | 'slow' | 'hangup',
  more: { status?: number; delayMs?: number; times?: number } = {},
) => faults().add({ target: 'identity', kind, match: RENEWAL, times: 0, status: 500, delayMs: 0, ...more });

/** A session whose access token expires in this many milliseconds. */
async function sessionEndingIn(ms: number) {
  const tokens = await signInAtProvider(product, 'mira');
  const endsAt = new Date(Date.now() + ms);
  return { id: await createSession(accountId, tokens, endsAt), endsAt };
}

const unavailable = { code: 'unavailable', status: 503, retryAfterSeconds: expect.any(Number) };

/** What a later read of the session returns, with the provider healthy again. */
async function readLater(id: string) {
  faults().clear();
  await db().callClaim.deleteMany();
  return currentAccessToken(id);
}

/** Tokens issued in the same second are identical; the expiry tells them apart. */
const isRenewed = (token: { expiresAt: Date } | null) =>
  (token?.expiresAt.getTime() ?? 0) > Date.now() + 60_000;

test('forty calls at once renew a session with one call', async () => {
  const { id } = await sessionEndingIn(-1000);
  // A fault without effect: it only counts.
  fault('slow');
  const tokens = await Promise.all(Array.from({ length: 40 }, () => currentAccessToken(id)));
  expect(tokens.every(isRenewed)).toBe(true);
  expect(faults().list()[0]?.hits).toBe(1);
});

test.each([400, 401, 403, 429, 500, 503])(
  'a response of %i that does not refuse the token keeps the session, and the next try renews it',
  async (status) => {
    const { id } = await sessionEndingIn(-1000);
    fault('fail', { status });
    await expect(currentAccessToken(id)).rejects.toMatchObject(unavailable);
    expect(isRenewed(await readLater(id))).toBe(true);
  },
);

test('a response that is lost on the way keeps the session', async () => {
  const { id } = await sessionEndingIn(-1000);
  fault('hangup');
  await expect(currentAccessToken(id)).rejects.toMatchObject(unavailable);
  expect(await db().authSession.count({ where: { id } })).toBe(1);
});

test('a refresh token that the provider calls invalid ends the session', async () => {
  const { id } = await sessionEndingIn(-1000);
  await fetch(`${product.sandbox.context.urls.identity}/_sandbox/identity/revoke`, { method: 'POST' });
  expect(await currentAccessToken(id)).toBeNull();
  expect(await db().authSession.count({ where: { id } })).toBe(0);
});

test('a token that is still good is handed out during a renewal and after a failed one', async () => {
  const { id, endsAt } = await sessionEndingIn(30_000);
  fault('slow', { delayMs: 8000, times: 1 });
  const renewal = currentAccessToken(id);
  await eventually(async () => faults().waitingNow === 1);
  expect(await currentAccessToken(id)).toMatchObject({ expiresAt: endsAt });
  expect(faults().waitingNow).toBe(1);
  faults().release();
  expect(isRenewed(await renewal)).toBe(true);

  const other = await sessionEndingIn(30_000);
  faults().clear();
  fault('fail', { status: 503 });
  expect(await currentAccessToken(other.id)).toMatchObject({ expiresAt: other.endsAt });
});

test('another process waits for the one that renews, and gets its token', async () => {
  const { id } = await sessionEndingIn(-1000);
  const endsAt = new Date(Date.now() + LATER);
  await db().callClaim.create({
    data: { key: `session:${id}`, accountId, holder: crypto.randomUUID(), endsAt },
  });
  fault('slow');
  const waiting = currentAccessToken(id);
  await db().authSession.update({ where: { id }, data: { accessTokenExpiresAt: endsAt } });
  expect((await waiting)?.expiresAt).toEqual(endsAt);
  expect(faults().list()[0]?.hits).toBe(0);
});

test('the claim of a dead process expires', async () => {
  const { id } = await sessionEndingIn(-1000);
  const endsAt = new Date(Date.now() + 300);
  await db().callClaim.create({
    data: { key: `session:${id}`, accountId, holder: crypto.randomUUID(), endsAt },
  });
  expect(isRenewed(await currentAccessToken(id))).toBe(true);
  expect(await db().callClaim.count()).toBe(0);
});

test('a token expires when it says itself, and otherwise when the provider says', async () => {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const own = new Date(exp * 1000);
  expect(expiryOf(await product.bearer('mira', { exp }), 86_400)).toEqual(own);
  expect(expiryOf(await product.bearer('mira', { exp }))).toEqual(own);
  for (const silent of ['opaque', await product.bearer('mira', { exp: undefined })]) {
    const before = Date.now();
    const [told, assumed] = [expiryOf(silent, 86_400), expiryOf(silent)].map((at) => at.getTime());
    expect(told).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(assumed).toBeLessThan(before + 86_400_000);
  }
});
