import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeDatabase,
  db,
  deletion,
  inBackground,
  pagePool,
  type Transaction,
  transaction,
} from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

async function patience(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<
    { patience: string }[]
  >`select current_setting('lock_timeout') as patience`;
  return row?.patience;
}

test('a statement and a transaction use the connections of whoever asks for them', async () => {
  expect(await Promise.all([patience(db()), transaction(patience)])).toEqual(['4s', '4s']);
  expect(await inBackground(() => Promise.all([patience(db()), transaction(patience)]))).toEqual([
    '30s',
    '30s',
  ]);
});

test('a deletion may take longer than other statements, which are limited as before', async () => {
  const limit = async (tx: Transaction) => {
    const [row] = await tx.$queryRaw<
      { limit: string }[]
    >`select current_setting('statement_timeout') as limit`;
    return row?.limit;
  };
  expect(await transaction(limit)).toBe('8s');
  expect(await deletion(limit)).toBe('2min');
  expect(await transaction(limit)).toBe('8s');
});

test('what runs in the background waits for no connection of the pages', async () => {
  const pool = pagePool();
  const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    expect(await inBackground(() => db().account.count())).toBe(0);
    expect(await inBackground(() => transaction((tx) => tx.account.findFirst()))).toBeNull();
  } finally {
    for (const client of held) client.release();
  }
});

test('times are read and written as they are, whatever time zone the database shows them in', async () => {
  await db().$executeRaw`
    do $$ begin execute format('alter database %I set timezone to ''Asia/Kathmandu''', current_database()); end $$`;
  await closeDatabase();
  const at = new Date('2026-11-30T12:00:00Z');
  const ask = async (tx: Transaction) => {
    const [row] = await tx.$queryRaw<{ read: Date; wrote: number }[]>`
      select to_timestamp(${at.getTime() / 1000}) as read, extract(epoch from ${at}::timestamptz)::float8 as wrote`;
    return row && { read: row.read, wrote: new Date(row.wrote * 1000) };
  };
  expect(await Promise.all([ask(db()), transaction(ask), inBackground(() => ask(db()))])).toEqual(
    Array(3).fill({ read: at, wrote: at }),
  );
});
