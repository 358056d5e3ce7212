import { db, Prisma, type Transaction } from '@/lib/db/database';
import type { DiscordServer } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';

interface Wanted {
  accountId: string;
  /** The id of the required server; absent for any that the account has. */
  id?: string;
}

/** The server that an account has connected. Throws `not_connected`. */
export async function requireServer(client: Transaction, wanted: Wanted): Promise<DiscordServer> {
  const server = await client.discordServer.findFirst({ where: wanted });
  if (!server) throw new AppError('not_connected', 'No Discord server is connected.');
  return server;
}

/**
 * The channels of a server that are posted in: their `channel_id`, and whether that is meant to be a forum
 * (`is_forum`).
 */
export const usedChannelsSql = (serverId: string) => Prisma.sql`
  select channel_id, destination ->> 'kind' = 'forum' as is_forum from rule where server_id = ${serverId}::uuid`;

/**
 * The server of a channel that is posted in, by rules or by an account's replies to messages; the account's own for a
 * channel in which nothing is posted any more. Null for no such server.
 */
export async function findServerOf(channelId: string, accountId: string) {
  const posting = { some: { channelId } };
  const server = await db().discordServer.findFirst({
    where: { OR: [{ rules: posting }, { accountId, echoes: posting }] },
  });
  return server ?? db().discordServer.findFirst({ where: { accountId } });
}
