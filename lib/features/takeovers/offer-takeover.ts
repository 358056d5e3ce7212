import type { KeyedHash } from '@/lib/auth/keyed-hash';
import { db, Prisma, type Transaction } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { listManagers } from '@/lib/integrations/discord/discord-guild';
import type { BotInstall } from '@/lib/integrations/discord/discord-install';
import { DAY_MS } from '@/lib/time';
import { dropServer } from '../setup/disconnect';
import { LegError } from '../setup/oauth-leg';
import { audit } from '../tenancy/audit';
import { lockAccount } from '../tenancy/lock-account';
import { findTakeovers } from './find-takeovers';
import { enqueueNews } from './tell-takeover';

/** How long the holder of a server has to answer whoever asks for it. */
export const ANSWER_MS = 7 * DAY_MS;

/** How long a wish stands: in this time an unanswered one can be used, and after a no nobody asks again. */
export const LAPSE_MS = 30 * DAY_MS;

/** What somebody is told who asks for a server whose holder manages it. */
export function holderManages(serverName: string): string {
  return `Whoever connected ${serverName} still manages it, so only they can give it up. Ask them to disconnect it; the server’s audit log in Discord says who added the bot.`;
}

/**
 * Notes that Discord let an account install the bot in another account's server: the proof without which nobody can
 * ask for it. A wish that stands is left as it is.
 */
export async function offerTakeover(account: Account, { guild, installer }: BotInstall): Promise<void> {
  const lapsedBefore = new Date(Date.now() - LAPSE_MS);
  await db().$executeRaw`
    insert into server_takeover as t (id, account_id, server_id, discord_username)
    select gen_random_uuid(), ${account.id}::uuid, id, ${installer.username} from discord_server
    where guild_id = ${guild.id} and account_id <> ${account.id}::uuid
    on conflict (server_id, account_id) do update set state = 'offered', since = now(),
      discord_username = excluded.discord_username
    where t.state = 'offered' or t.since < ${lapsedBefore}::timestamptz`;
}

/**
 * The wish by which an account may take this server over now: handed over by its holder, or unanswered for seven days
 * by somebody who does not manage it. Null when there is none. Throws LegError when the holder manages the server
 * again, and DiscordError.
 */
export async function findDueTakeover(account: Account, guildId: string): Promise<string | null> {
  const [takeover] = await findTakeovers(
    Prisma.sql`t.account_id = ${account.id}::uuid and s.guild_id = ${guildId} and ${dueNow()}`,
  );
  if (!takeover) return null;
  const { id, state, holderUserId, serverName } = takeover;
  if (state === 'asked' && (await listManagers(account.id, guildId, [holderUserId])).includes(holderUserId)) {
    throw new LegError('oauth_failed', holderManages(serverName));
  }
  return id;
}

/**
 * Takes a server, with its rules and waiting cards, from the account that holds it. Returns whose it was and whether
 * they handed it over; null when the wish is not due any more.
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
  await dropServer(tx, keyedHash, server);
  return { holderId: server.accountId, isHandedOver: takeover.state === 'handed_over' };
}

/** Records that a server has moved, and has whoever did not do it told. */
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

function dueNow(): Prisma.Sql {
  const now = Date.now();
  return Prisma.sql`(t.state = 'handed_over' or t.state = 'asked'
    and t.since between ${new Date(now - LAPSE_MS)}::timestamptz and ${new Date(now - ANSWER_MS)}::timestamptz)`;
}
