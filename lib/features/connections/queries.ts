import { db } from '@/lib/db/database';
import type { Account, DiscordServer, NotionDatabase, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/rate-limit';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { SECOND_MS } from '@/lib/time';
import { RECONCILED } from '../notifications/missed-pages';
import { CHANNEL_GONE } from './access-words';
import { lastSeenPublicWays } from './public-ways';
import { lastSeenChannels, refreshServer } from './refresh-server';
import { refreshDatabase, refreshWorkspace } from './refresh-workspace';
import type { Database, Property, Server, Workspace } from './schema';
import { statusPropertyOf } from './status-property';

// Every open dashboard asks every few seconds; within this time all of them share one look at the other service.
const FRESH_MS = 10 * SECOND_MS;

/** The connected server with its channels as the bot sees them now, or null. */
export async function findServer(account: Account): Promise<Server | null> {
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  if (!server) return null;
  const [seen, usage] = await Promise.all([currentChannels(server), countRulesByChannel(account.id)]);
  const seenNow = await db().discordServer.findUniqueOrThrow({ where: { id: server.id } });
  const { problem } = seenNow;
  const visible = seen.map(({ accessMend: _, ...channel }) => {
    const accessProblem = problem ?? channel.accessProblem;
    const usedInRules = usage.get(channel.id)?.rules ?? 0;
    return { ...channel, accessProblem, botHasAccess: accessProblem === null, usedInRules };
  });
  const vanished = [...usage.entries()]
    .filter(([id]) => !seen.some((channel) => channel.id === id))
    .map(([id, { name, rules }]) => ({
      id,
      name,
      category: null,
      botHasAccess: false,
      accessProblem: problem ?? CHANNEL_GONE,
      usedInRules: rules,
    }));
  return {
    id: server.id,
    name: server.name,
    guildId: server.guildId,
    installedAt: server.installedAt.toISOString(),
    problem,
    publicWays: lastSeenPublicWays(seenNow),
    channels: [...visible, ...vanished],
  };
}

/** The connected workspace with its databases and people, or null. */
export async function findWorkspace(account: Account): Promise<Workspace | null> {
  const workspace = await db().notionWorkspace.findFirst({ where: { accountId: account.id } });
  if (!workspace) return null;
  await refreshWhenStale(workspace);
  const fresh = await db().notionWorkspace.findUniqueOrThrow({
    where: { id: workspace.id },
    include: {
      databases: {
        where: { isShared: true },
        orderBy: { name: 'asc' },
        include: { _count: { select: { rules: true } } },
      },
      users: { orderBy: { name: 'asc' } },
    },
  });
  const lastEvents = await findLastEvents(
    fresh.id,
    fresh.databases.map(({ id }) => id),
  );
  return {
    id: fresh.notionWorkspaceId,
    name: fresh.name,
    installer_discord_user_id: fresh.installerDiscordUserId,
    problem: fresh.problem,
    users: fresh.users.map(({ id, name, email }) => (email ? { id, name, email } : { id, name })),
    databases: fresh.databases.map((database) =>
      toDatabase(database, database._count.rules, lastEvents.get(database.id)),
    ),
  };
}

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
    properties: database.properties.map(({ id, name, type, options }) => ({
      id,
      name,
      type,
      options,
      isStatus: id === database.statusPropertyId,
    })),
  };
}

/** What a failed call of Notion means to the person who caused it; other errors pass as they are. */
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

async function currentChannels(server: DiscordServer) {
  if (server.channelsCheckedAt.getTime() > Date.now() - FRESH_MS) return lastSeenChannels(server);
  try {
    await limitOutsideCalls(server.accountId);
    return await refreshServer(server);
  } catch (error) {
    log.warn({ err: error, serverId: server.id }, 'channels not refreshed');
    return lastSeenChannels(server);
  }
}

// The conditional update lets one of several callers look; the others show what is known.
async function refreshWhenStale(workspace: NotionWorkspace): Promise<void> {
  const { count } = await db().notionWorkspace.updateMany({
    where: { id: workspace.id, catalogCheckedAt: { lt: new Date(Date.now() - FRESH_MS) } },
    data: { catalogCheckedAt: new Date() },
  });
  if (count === 0) return;
  await refreshWorkspace(workspace).catch((error) => {
    log.warn({ err: error, workspaceId: workspace.id }, 'databases not refreshed');
  });
}

async function countRulesByChannel(accountId: string) {
  const groups = await db().rule.groupBy({
    by: ['channelId'],
    where: { accountId },
    _count: true,
    _max: { channelName: true },
  });
  return new Map(
    groups.map((g) => [g.channelId, { name: g._max.channelName ?? g.channelId, rules: g._count }]),
  );
}

// Looked up in the events' index, so that no event has to write it down. An event of our own says nothing about
// whether Notion's arrive.
async function findLastEvents(workspaceId: string, databaseIds: string[]): Promise<Map<string, Date>> {
  const rows = await db().$queryRaw<{ id: string; at: Date }[]>`
    select d.id, e.occurred_at as at
    from unnest(${databaseIds}::text[]) as d(id)
    cross join lateral (
      select occurred_at from notion_event
      where workspace_id = ${workspaceId}::uuid and database_id = d.id and id not like ${`${RECONCILED}%`}
      order by occurred_at desc limit 1
    ) as e`;
  return new Map(rows.map(({ id, at }) => [id, at]));
}

function toDatabase(row: NotionDatabase, usedInRules: number, lastEventAt: Date | undefined): Database {
  const status = statusPropertyOf(row);
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    type: status ? 'task' : 'page',
    url: row.url,
    usedInRules,
    lastEventAt: lastEventAt?.toISOString() ?? null,
    statusOptions: status?.options.map(({ name }) => name) ?? [],
    statusGroups: status ? groupOptions(status) : [],
  };
}

function groupOptions(status: SchemaProperty): Database['statusGroups'] {
  const grouped = status.groups.map((group) => ({
    name: group.name,
    color: group.color,
    options: status.options.filter(({ id }) => group.optionIds.includes(id)),
  }));
  const loose = status.options.filter(
    ({ id }) => !status.groups.some((group) => group.optionIds.includes(id)),
  );
  return loose.length > 0 ? [...grouped, { name: 'Other', color: 'default', options: loose }] : grouped;
}
