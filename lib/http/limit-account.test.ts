import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
let accountId = '';

beforeAll(async () => {
  product = await TestProduct.start();
  await product.call('mira', 'GET', '/api/app/me');
  await product.call('vera', 'GET', '/api/app/me');
  const mira = await db().account.findFirstOrThrow({ where: { discordUserId: '208917000000000101' } });
  accountId = mira.id;
});
afterAll(() => product.stop());
beforeEach(() => db().callCount.deleteMany());

const inAMinute = () => new Date(Date.now() + 60_000);

test('calls that an account made through another process count', async () => {
  await db().callCount.create({ data: { accountId, kind: 'calls', used: 599, endsAt: inAMinute() } });
  expect((await product.call('mira', 'GET', '/api/app/me')).status).toBe(200);
  const refused = await product.call('mira', 'GET', '/api/app/me');
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect(refused.body.error).toBe(
    `Too many requests. Try again in ${refused.headers.get('retry-after')} seconds.`,
  );
  expect((await product.call('vera', 'GET', '/api/app/me')).status).toBe(200);
});

test('a new minute begins with nothing counted', async () => {
  const endsAt = new Date(Date.now() - 1000);
  await db().callCount.create({ data: { accountId, kind: 'calls', used: 5000, endsAt } });
  expect((await product.call('mira', 'GET', '/api/app/me')).status).toBe(200);
  expect(await db().callCount.findMany({ where: { accountId } })).toMatchObject([{ used: 1 }]);
});

test('of simultaneous calls, exactly as many pass as the limit allows', async () => {
  const { limitOutsideCalls } = await import('./limit-account');
  const calls = await Promise.allSettled(Array.from({ length: 40 }, () => limitOutsideCalls(accountId, 3)));
  expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  expect(await db().callCount.findMany()).toMatchObject([{ kind: 'outside', used: 120 }]);
});

test('a save is refused once the limit of calls to Discord is used up, in whichever process', async () => {
  await db().callCount.create({ data: { accountId, kind: 'outside', used: 60, endsAt: inAMinute() } });
  const rule = { databaseId: randomUUID(), eventType: 'page_created', channelId: '1', watchedProperties: [] };
  const saved = await product.call('mira', 'POST', '/api/app/rules', {
    ...rule,
    statusTo: [],
    displayedFields: [],
  });
  expect(saved).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
});

test('an account that is deleted meanwhile leaves no count', async () => {
  const { limitAccount } = await import('./limit-account');
  await limitAccount('00000000-0000-7000-8000-000000000000');
  expect(await db().callCount.count()).toBe(0);
});

test('counts of past minutes are removed by the upkeep', async () => {
  const endsAt = new Date(Date.now() - 1000);
  await db().callCount.create({ data: { accountId, kind: 'calls', used: 1, endsAt } });
  const { runUpkeep } = await import('@/lib/worker/upkeep');
  await runUpkeep();
  expect(await db().callCount.count()).toBe(0);
});

test('a call fails when its count cannot be stored, as with any other statement', async () => {
  await db().$executeRaw`alter table call_count rename to call_count_away`;
  try {
    expect((await product.call('mira', 'GET', '/api/app/me')).status).toBe(500);
  } finally {
    await db().$executeRaw`alter table call_count_away rename to call_count`;
  }
});
