import type { Transaction } from '@/lib/db/database';

/** Makes every other change of this account's limits and ownership wait until the transaction ends. */
export async function lockAccount(tx: Transaction, accountId: string): Promise<void> {
  await tx.$queryRaw`select 1 from account where id = ${accountId}::uuid for update`;
}
