import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, inBackground, pagePool, type Transaction, transaction } from '@/lib/db/database';
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
