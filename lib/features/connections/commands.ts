import type { z } from 'zod';
import { type KeyedHash, loadKeyedHash } from '@/lib/auth/keyed-hash';
import { db, type Transaction, transaction } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { leaveGuild } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { openId, sealedIdPayload, sealId } from '@/lib/queue/hidden-id';
import { audit } from '../account/audit';
import { lockAccount } from '../account/lock';
import { leaveTrial } from '../billing/join-trial';
import { dropUnsent } from '../notifications/end-deliveries';
import { enqueueTokenRevocation } from './revoke-token';

/** Disconnects the server: its rules and waiting cards go at once, the bot leaves by a job. */
export async function disconnectServer(account: Account): Promise<{ disconnected: true }> {
  const keyedHash = await loadKeyedHash();
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const server = await tx.discordServer.findFirst({ where: { accountId: account.id } });
    if (!server) throw new AppError('not_connected', 'No Discord server is connected.');
    await dropServer(tx, keyedHash, server);
    await enqueueServerLeave(tx, server);
    await audit(tx, account.id, 'server.disconnected', server.guildId);
  });
  return { disconnected: true };
}

/** Deletes a server with its rules and waiting cards. The transaction has the lock of its account. */
export async function dropServer(
  tx: Transaction,
  keyedHash: KeyedHash,
  server: DiscordServer,
): Promise<void> {
  const { id: serverId, accountId, guildId, installedAt } = server;
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  await leaveTrial(tx, keyedHash, account, { kind: 'server', id: guildId }, installedAt);
  await dropUnsent(tx, await tx.rule.findMany({ where: { serverId } }));
  // A card that was posted early is left as it stands.
  await tx.$executeRaw`
    update delivery set sealed_message = null
    where rule_id in (select id from rule where server_id = ${serverId}::uuid)
      and state = 'sent' and sealed_message is not null`;
  await tx.discordServer.delete({ where: { id: serverId } });
}

/** Disconnects the workspace: its rules, snapshots and waiting cards go at once, the token is revoked by a job. */
export async function disconnectWorkspace(account: Account): Promise<{ disconnected: true }> {
  const keyedHash = await loadKeyedHash();
  await transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const workspace = await tx.notionWorkspace.findFirst({ where: { accountId: account.id } });
    if (!workspace) throw new AppError('not_connected', 'No Notion workspace is connected.');
    await dropUnsent(tx, await tx.rule.findMany({ where: { workspaceId: workspace.id } }));
    const holder = { kind: 'workspace', id: workspace.notionWorkspaceId } as const;
    await leaveTrial(tx, keyedHash, account, holder, workspace.connectedAt);
    await tx.notionWorkspace.delete({ where: { id: workspace.id } });
    await tx.accountLink.deleteMany({ where: { accountId: account.id } });
    await tx.linkRequest.deleteMany({ where: { accountId: account.id } });
    await enqueueTokenRevocation(tx, workspace);
    await audit(tx, account.id, 'workspace.disconnected', workspace.notionWorkspaceId);
  });
  return { disconnected: true };
}

/** Has a job take the bot out of a server, whose row the transaction deletes. */
export async function enqueueServerLeave(tx: Transaction, { guildId }: { guildId: string }): Promise<void> {
  await enqueue(tx, leaveServerJob, sealId(LEAVE, guildId));
}

const LEAVE = 'leave-server';

export const leaveServerJob = defineJob({
  name: LEAVE,
  payload: sealedIdPayload(LEAVE, 'guildId'),
  key: ['hidden'],
  queue: null,
});

/** Takes the bot out of a disconnected server, unless somebody connected it again. Throws what is worth a retry. */
export async function leaveServer(server: z.infer<typeof leaveServerJob.payload>): Promise<void> {
  const guildId = openId(LEAVE, server);
  if (await db().discordServer.findUnique({ where: { guildId } })) return;
  await leaveGuild(guildId).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
  });
}
