import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';

const OLD = Buffer.alloc(32, 1).toString('base64');
const NEW = Buffer.alloc(32, 2).toString('base64');
const SUBJECT = 'oauth2|discord|208917000000000101';
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const environment = { ...COMPLETE_ENVIRONMENT, DATABASE_URL: database.url };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  await closeDatabase();
  vi.unstubAllEnvs();
  await database.drop();
});
beforeEach(async () => {
  await db().hashKey.deleteMany();
  await db().account.deleteMany();
  await db().trial.deleteMany();
});

/** The modules as loaded by a process with these keys. */
async function withKeys(...keys: string[]) {
  vi.stubEnv('ENCRYPTION_KEYS', keys.join(','));
  vi.resetModules();
  const { loadKeyedHash } = await import('./keyed-hash');
  const { accountOf } = await import('./account');
  return { loadKeyedHash, accountOf, crypto: await import('@/lib/crypto') };
}

/** Reseals the hash key with the first encryption key, as a rotation does. */
async function reseal({ crypto }: Awaited<ReturnType<typeof withKeys>>): Promise<void> {
  const { id, sealedKey } = await db().hashKey.findFirstOrThrow();
  const purpose = `hash-key:${id}`;
  const resealed = crypto.seal(crypto.open(sealedKey, purpose), purpose);
  await db().hashKey.update({ where: { id }, data: { sealedKey: resealed } });
}

test('a value has the same hash before, during and after a rotation of the keys', async () => {
  const hashOf = async (process: Awaited<ReturnType<typeof withKeys>>) =>
    (await process.loadKeyedHash())('208917000000000101', 'trial:person');
  const before = await hashOf(await withKeys(OLD));
  expect(before).toMatch(/^[0-9a-f]{64}$/);
  const rotating = await withKeys(NEW, OLD);
  expect(await hashOf(rotating)).toBe(before);
  await reseal(rotating);
  expect(await hashOf(await withKeys(NEW))).toBe(before);
});

test('a value has a different hash for each purpose, and none without the key', async () => {
  const keyedHash = await (await withKeys(OLD)).loadKeyedHash();
  expect(keyedHash('1', 'trial:server')).not.toBe(keyedHash('1', 'trial:workspace'));
  await db().hashKey.deleteMany();
  const other = await (await withKeys(OLD)).loadKeyedHash();
  expect(other('1', 'trial:server')).not.toBe(keyedHash('1', 'trial:server'));
});

test('processes that start at the same time agree on one key', async () => {
  const processes = [await withKeys(OLD), await withKeys(OLD), await withKeys(OLD), await withKeys(OLD)];
  const hashes = await Promise.all(processes.map(({ loadKeyedHash }) => loadKeyedHash()));
  expect(new Set(hashes.map((keyedHash) => keyedHash('1', 'trial:server'))).size).toBe(1);
  expect(await db().hashKey.count()).toBe(1);
});

test('a trial that was stored under an encryption key is recognised, and stays so without that key', async () => {
  const rotating = await withKeys(NEW, OLD);
  const endsAt = new Date(Date.now() + 60_000);
  const [, holderHash = ''] = rotating.crypto.earlierHashes('208917000000000101', 'spent-trial');
  await db().trial.create({ data: { holderHash, endsAt, deletedAt: new Date() } });
  expect(await rotating.accountOf(SUBJECT)).toMatchObject({
    trialEndsAt: endsAt,
    trialSharedWith: 'person',
  });
  await reseal(rotating);
  await db().account.deleteMany();
  expect((await (await withKeys(NEW)).accountOf(SUBJECT)).trialEndsAt).toEqual(endsAt);
});
