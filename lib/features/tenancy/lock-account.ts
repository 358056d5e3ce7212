import type { Transaction } from '@/lib/db/database';

/**
 * Makes every other change of this account's limits and ownership wait until the transaction ends. Rows that merely
 * belong to the account can still be written: if a card waited for this lock while holding a page that the change
 * needs, the two would deadlock.
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for no key update`;
}
