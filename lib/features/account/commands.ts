import { loadKeyedHash } from '@/lib/auth/keyed-hash';
import { deletion, type Transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { cleanQueueJob } from '@/lib/queue/clean-queue';
import { enqueue } from '@/lib/queue/enqueue';
import { forgetJobsOf } from '@/lib/queue/private-tables';
import { enqueueCustomerClosing } from '../billing/close-customer';
import { closeTrials } from '../billing/leave-trial';
import { enqueueServerLeave } from '../servers/leave-server';
import { rememberAsked } from '../takeovers/asked-before';
import { lockAccount } from '../tenancy/lock-account';
import { holdTokens } from '../workspaces/notion-access';
import { enqueueTokenRevocation } from '../workspaces/revoke-token';

/**
 * Deletes an account with all its rows, at once and for good. Jobs that do not need the account then leave the server,
 * revoke the Notion token and cancel the subscription at Stripe. Only keyed hashes remain: of its trial's holders, with
 * its end and use, and for a while of the servers that the person asked for and of today's tests.
 */
export async function deleteAccount(account: Account): Promise<{ deleted: true }> {
  const keyedHash = await loadKeyedHash();
  await deletion(async (tx) => {
    await lockAccount(tx, account.id);
    const current = await tx.account.findUnique({ where: { id: account.id } });
    if (!current) return;
    await holdTokens(tx, account.id);
    await closeTrials(tx, keyedHash, current, new Date());
    await rememberAsked(tx, keyedHash, current);
    await dropJobs(tx, account.id);
    const where = { accountId: account.id };
    for (const server of await tx.discordServer.findMany({ where })) await enqueueServerLeave(tx, server);
    for (const workspace of await tx.notionWorkspace.findMany({ where })) {
      await enqueueTokenRevocation(tx, workspace);
    }
    if (current.stripeCustomerId) await enqueueCustomerClosing(tx, current.stripeCustomerId);
    await tx.$executeRaw`
      with channel as (
        select jsonb_array_elements(channels) ->> 'id' as channel_id from discord_server
          where account_id = ${account.id}::uuid
        union select channel_id from rule where account_id = ${account.id}::uuid
        union select target_id from message where account_id = ${account.id}::uuid
        union select unnest(array[discord_user_id, channel_id]) from conversation
          where account_id = ${account.id}::uuid
      ), problems as (
        delete from channel_problem where channel_id in (select channel_id from channel)
      ), mine as (
        select channel_id as id from channel
        union select guild_id from discord_server where account_id = ${account.id}::uuid
        union select id::text from notion_workspace where account_id = ${account.id}::uuid
        union select ${current.discordUserId}
      )
      delete from rate_limit where exists (
        select 1 from unnest(string_to_array(translate(key, ':/', '  '), ' ')) as part
        where part <> '' and part in (select id from mine))`;
    await tx.account.delete({ where: { id: account.id } });
  });
  return { deleted: true };
}

// Job keys contain the ids of the account's rows, and queue names outlive their jobs.
async function dropJobs(tx: Transaction, accountId: string): Promise<void> {
  const workspaces = await tx.notionWorkspace.findMany({ where: { accountId }, select: { id: true } });
  await forgetJobsOf(
    tx,
    accountId,
    workspaces.map(({ id }) => id),
  );
  await enqueue(tx, cleanQueueJob, {});
}
