import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, Prisma, runStatement, statementPools } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

const lock = (key: number) =>
  runStatement<{ key: number }>(Prisma.sql`select ${key}::int as key, pg_advisory_xact_lock(${key}::int)`);

test('statements that wait for a lock hold up no others, not even those with the same text', async () => {
  const holder = await databasePool().connect();
  try {
    await holder.query('begin; select pg_advisory_xact_lock(1)');
    const connections = statementPools().map(({ options }) => options.max);
    const waiting = Array.from({ length: Math.max(...connections) }, () => lock(1));
    expect(await lock(2)).toMatchObject([{ key: 2 }]);
    await holder.query('rollback');
    expect(await Promise.all(waiting)).toHaveLength(waiting.length);
  } finally {
    holder.release();
  }
});
