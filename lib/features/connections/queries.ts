import { db, Prisma } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { refreshDatabase } from './refresh-workspace';
import type { Property } from './schema';

/** The properties of a database as they are now. Throws `not_found` for a database that is not shared with us. */
export async function listProperties(
  account: Account,
  databaseId: string,
): Promise<{ properties: Property[] }> {
  const workspace = await db().notionWorkspace.findFirst({ where: { accountId: account.id } });
  if (!workspace) throw new AppError('not_found', 'No such database.');
  const database = await refreshDatabase(workspace, databaseId).catch((error) => {
    throw notionProblem(error, 'No such database.');
  });
  return {
    properties: database.properties.map(({ id, name, type, options, unit }) => ({
      id,
      name,
      type,
      options,
      ...(unit && { unit }),
      isStatus: id === database.statusPropertyId,
    })),
  };
}

/** Translates a failed call to Notion for the person who caused it. Other errors are returned as they are. */
export function notionProblem(error: unknown, whenGone: string): unknown {
  if (!(error instanceof NotionError)) return error;
  if (error.isGone || error.status === 400) return new AppError('not_found', whenGone);
  if (error.isUnauthorized) {
    return new AppError(
      'not_connected',
      'Notion no longer accepts this connection. Connect the workspace again.',
    );
  }
  if (error.isTooLarge) {
    return new AppError(
      'upstream_failed',
      'This is too large: Pagewire reads up to 8 MB at a time from Notion.',
    );
  }
  return new AppError('upstream_failed', 'Notion does not answer. Try again in a minute.');
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
