import type { KeyedHash } from '@/lib/auth/keyed-hash';
import { Prisma, type Transaction } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { listManagers } from '@/lib/integrations/discord/discord-members';
import { lockTrialsToJoin } from '../billing/join-trial';
import { dueNow, findTakeovers } from '../takeovers/find-takeovers';
import { holderManages } from '../takeovers/request-takeover';
import { enqueueNews } from '../takeovers/tell-takeover';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { dropServer } from './disconnect';
import { OauthFlowError } from './oauth-flow';

/**
 * The id of the takeover that lets an account have this server now: its holder handed it over, or does not manage it
 * and has not answered for seven days. Null when there is none. Throws OauthFlowError when the holder manages the
 * server again, and DiscordError.
 */
export async function findDueTakeover(account: Account, guildId: string): Promise<string | null> {
  const [takeover] = await findTakeovers(
    Prisma.sql`t.account_id = ${account.id}::uuid and s.guild_id = ${guildId} and ${dueNow()}`,
  );
  if (!takeover) return null;
  const { id, state, holderUserId, serverName } = takeover;
  if (state === 'asked' && (await listManagers(account.id, guildId, [holderUserId])).includes(holderUserId)) {
    throw new OauthFlowError('oauth_failed', holderManages(serverName));
  }
  return id;
}

/**
 * Takes a server, with its rules and waiting cards, from the account that holds it. Returns whose it was and whether
 * they handed it over; null when the takeover is no longer due.
 */
export async function releaseServer(
  tx: Transaction,
  keyedHash: KeyedHash,
  takeoverId: string,
  server: DiscordServer,
) {
  await lockAccount(tx, server.accountId);
  const wish = Prisma.sql`t.id = ${takeoverId}::uuid and s.id = ${server.id}::uuid`;
  const [takeover] = await findTakeovers(Prisma.sql`${wish} and ${dueNow()}`, tx);
  if (!takeover) return null;
  await lockTrialsToJoin(tx, keyedHash, takeover.askerId, { kind: 'server', id: takeover.guildId });
  await dropServer(tx, keyedHash, server);
  return { holderId: server.accountId, isHandedOver: takeover.state === 'handed_over' };
}

/** Records that a server has moved, and enqueues a message to whichever side did not cause it. */
export async function recordMove(
  tx: Transaction,
  server: DiscordServer,
  { holderId, isHandedOver }: { holderId: string; isHandedOver: boolean },
): Promise<void> {
  await audit(tx, holderId, 'server.taken_over', server.guildId);
  await audit(tx, server.accountId, 'server.taken_over', server.guildId);
  await enqueueNews(
    tx,
    isHandedOver
      ? { recipientId: server.accountId, serverId: server.id, news: 'handed_over' }
      : { recipientId: holderId, serverId: server.id, news: 'taken_over' },
  );
}
