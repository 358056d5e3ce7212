import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, type Transaction, transaction } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { audit } from './audit';
import { lockAccount } from './lock-account';

let product: TestProduct;
let accountId = '';
beforeAll(async () => {
  product = await TestProduct.start();
  await product.call('mira', 'GET', '/api/app/me');
  accountId = (await db().account.findFirstOrThrow()).id;
});
afterAll(() => product.stop());

/** Runs something next to a transaction that holds the account's lock. Having to wait is an error. */
function besideTheLock(work: (tx: Transaction) => Promise<void>): Promise<void> {
  return transaction(async (holder) => {
    await lockAccount(holder, accountId);
    await transaction(async (other) => {
      await other.$executeRaw`set local lock_timeout = '200ms'`;
      await work(other);
    });
  });
}

test('a second holder of the lock has to wait', async () => {
  await expect(besideTheLock((tx) => lockAccount(tx, accountId))).rejects.toThrow('lock timeout');
});

test('rows that belong to the account are written without waiting', async () => {
  await besideTheLock((tx) => audit(tx, accountId, 'rule.created', 'x'));
  expect(await db().auditEntry.count()).toBe(1);
});

test('the account cannot be deleted under the lock', async () => {
  const remove = (tx: Transaction) => tx.account.delete({ where: { id: accountId } }).then(() => undefined);
  await expect(besideTheLock(remove)).rejects.toThrow('lock timeout');
});
