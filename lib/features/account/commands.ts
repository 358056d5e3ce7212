import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { enqueueServerLeave, enqueueTokenRevocation } from '../connections/commands';
import { lockAccount } from './lock';

/**
 * Deletes an account with every row of it, at once and for good. Leaving the server and revoking the Notion
 * token follow by jobs that do not need the account any more.
 */
export async function deleteAccount(account: Account): Promise<{ deleted: true }> {
  await db().$transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const where = { accountId: account.id };
    for (const server of await tx.discordServer.findMany({ where })) await enqueueServerLeave(tx, server);
    for (const workspace of await tx.notionWorkspace.findMany({ where })) {
      await enqueueTokenRevocation(tx, workspace);
    }
    await tx.account.delete({ where: { id: account.id } });
  });
  return { deleted: true };
}
