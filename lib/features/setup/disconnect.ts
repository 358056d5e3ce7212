import { type KeyedHash, loadKeyedHash } from '@/lib/auth/keyed-hash';
import { deletion, type Transaction } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { leaveTrial } from '../billing/leave-trial';
import { dropLinks, forgetMembers } from '../links/commands';
import { dropMessages } from '../messages/drop-messages';
import { enqueueServerLeave } from '../servers/leave-server';
import { requireServer } from '../servers/queries';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { requireMeant } from '../tenancy/require-meant';
import { holdTokens } from '../workspaces/notion-access';
import { requireWorkspace } from '../workspaces/queries';
import { enqueueTokenRevocation } from '../workspaces/revoke-token';

/**
 * Disconnects the server: its rules and waiting cards are deleted at once, and a job removes the bot. Throws `conflict`
 * if the server that is connected has another id than `meant`.
 */
export async function disconnectServer(account: Account, meant?: string): Promise<{ disconnected: true }> {
  const keyedHash = await loadKeyedHash();
  await deletion(async (tx) => {
    await lockAccount(tx, account.id);
    const server = await requireServer(tx, { accountId: account.id });
    requireMeant(meant, server.id, 'That server was already disconnected. The one connected now stays.');
    await dropServer(tx, keyedHash, server);
    await enqueueServerLeave(tx, server);
    await audit(tx, account.id, 'server.disconnected', server.guildId);
  });
  return { disconnected: true };
}

/** Deletes a server with its rules and waiting cards. The transaction must hold the account's lock. */
export async function dropServer(
  tx: Transaction,
  keyedHash: KeyedHash,
  server: DiscordServer,
): Promise<void> {
  const { id: serverId, accountId, guildId, installedAt } = server;
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  await leaveTrial(tx, keyedHash, account, { kind: 'server', id: guildId, connectedAt: installedAt });
  const sourceIds = await closeSources(tx, { serverId });
  await tx.discordServer.delete({ where: { id: serverId } });
  await dropMessages(tx, sourceIds);
  await forgetMembers(tx, accountId);
}

/**
 * The sources of messages that end with a server or workspace: rules, and echoes of pages made from messages. Locks it,
 * so that none is added any more; a page that is just being made from a message is waited for.
 */
async function closeSources(
  tx: Transaction,
  where: { serverId: string } | { workspaceId: string },
): Promise<string[]> {
  if ('serverId' in where) {
    await tx.$queryRaw`select 1 from discord_server where id = ${where.serverId}::uuid for update`;
  } else {
    await tx.$queryRaw`select 1 from notion_workspace where id = ${where.workspaceId}::uuid for update`;
  }
  const rules = await tx.rule.findMany({ where, select: { id: true } });
  const echoes = await tx.taskEcho.findMany({ where, select: { id: true } });
  return [...rules, ...echoes].map(({ id }) => id);
}

/**
 * Disconnects the workspace: its rules, snapshots and waiting cards are deleted at once, and a job revokes the token.
 * Throws `conflict` if the workspace that is connected has another id in Notion than `meant`.
 */
export async function disconnectWorkspace(account: Account, meant?: string): Promise<{ disconnected: true }> {
  const keyedHash = await loadKeyedHash();
  await deletion(async (tx) => {
    await lockAccount(tx, account.id);
    await holdTokens(tx, account.id);
    const workspace = await requireWorkspace(tx, { accountId: account.id });
    const { notionWorkspaceId: id, connectedAt } = workspace;
    requireMeant(meant, id, 'That workspace was already disconnected. The one connected now stays.');
    await leaveTrial(tx, keyedHash, account, { kind: 'workspace', id, connectedAt });
    const sourceIds = await closeSources(tx, { workspaceId: workspace.id });
    await tx.notionWorkspace.delete({ where: { id: workspace.id } });
    await dropMessages(tx, sourceIds);
    await dropLinks(tx, account.id);
    await enqueueTokenRevocation(tx, workspace);
    await audit(tx, account.id, 'workspace.disconnected', workspace.notionWorkspaceId);
  });
  return { disconnected: true };
}
