import type { Transaction } from '@/lib/db/database';

/**
 * Makes every other change of this account's limits and ownership wait until the transaction ends. Rows that
 * only belong to the account can be written meanwhile: a card that waited for this lock while it held a page
 * that the change needs would be a deadlock.
 */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for no key update`;
}
