import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, deletion, inBackground, pagePool, type Transaction, transaction } from '@/lib/db/database';
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
