import { db } from '@/lib/db/database';
import type { Account, NotionDatabase, NotionWorkspace } from '@/lib/db/generated/client';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { HOUR_MS, isoUnlessEpoch, SECOND_MS } from '@/lib/time';
import { blockedForMs, connectionLimit } from '../calls/call-limits';
import { blockConnection } from '../changes/block-connection';
import { RECONCILED } from '../reconciliation/missed-pages';
import { checkCommentAccess, recheckCommentAccess } from '../workspaces/comment-access';
import { statusPropertyOf } from '../workspaces/database-schema';
import { notionProblem } from '../workspaces/notion-problem';
import { requireWorkspace } from '../workspaces/queries';
import { refreshWorkspace } from '../workspaces/refresh-workspace';
import type { Database, Workspace } from '../workspaces/schema';

// Every open dashboard asks every few seconds; within this time all of them share one reading of Notion.
const FRESH_MS = 10 * SECOND_MS;

/** The connected workspace with its databases and people, or null. */
export async function findWorkspace(account: Account): Promise<Workspace | null> {
  const workspace = await db().notionWorkspace.findFirst({ where: { accountId: account.id } });
  if (!workspace) return null;
  if ((await refusedForMs(workspace.id)) === 0) {
    await refreshWhenStale(workspace);
    await recheckCommentAccess(workspace);
  }
  const fresh = await db().notionWorkspace.findFirst({
    // A single statement would turn the lists into JSON, which takes several times as long.
    relationLoadStrategy: 'query',
    where: { id: workspace.id, accountId: account.id },
    include: {
      databases: {
        where: { isShared: true },
        // Several may have the same name, such as "Tasks".
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
        include: { _count: { select: { rules: true } } },
      },
      users: { orderBy: [{ name: 'asc' }, { id: 'asc' }] },
    },
  });
  // It may have been disconnected while Notion answered.
  if (!fresh) return null;
  const lastEvents = await findLastEvents(
    fresh.id,
    fresh.databases.map(({ id }) => id),
  );
  return {
    id: fresh.notionWorkspaceId,
    name: fresh.name,
    icon: fresh.icon,
    checkedAt: isoUnlessEpoch(fresh.catalogCheckedAt),
    installer_discord_user_id: fresh.installerDiscordUserId,
    problem: fresh.problem ?? (await whyRefused(fresh.id)),
    canReadComments: fresh.canReadComments,
    users: fresh.users.map(({ id, name, email, avatarUrl }) => ({
      id,
      name,
      ...(email && { email }),
      ...(avatarUrl && { avatarUrl }),
    })),
    databases: fresh.databases.map((database) =>
      toDatabase(database, database._count.rules, lastEvents.get(database.id)),
    ),
  };
}

/**
 * Like `findWorkspace`, read from Notion now. Throws `not_connected`, and `upstream_failed` if Notion does not
 * answer.
 */
export async function rereadWorkspace(account: Account): Promise<Workspace | null> {
  const workspace = await requireWorkspace(db(), { accountId: account.id });
  await limitOutsideCalls(account.id);
  await refreshWorkspace(workspace).catch((error) => {
    throw notionProblem(error, 'Notion no longer shows this workspace.');
  });
  await checkCommentAccess(workspace);
  return findWorkspace(account);
}

// The conditional update lets only one of several callers read; the others show what is stored. While Notion does not
// answer, the workspace still says when it was last read.
async function refreshWhenStale(workspace: NotionWorkspace): Promise<void> {
  // As `isRecent` has it.
  const recent = { gt: new Date(Date.now() - FRESH_MS), lt: new Date(Date.now() + FRESH_MS) };
  const { count } = await db().notionWorkspace.updateMany({
    where: { id: workspace.id, NOT: [{ catalogCheckedAt: recent }, { catalogAskedAt: recent }] },
    data: { catalogAskedAt: new Date() },
  });
  if (count === 0) return;
  await refreshWorkspace(workspace).catch(async (error) => {
    log.warn({ err: error, workspaceId: workspace.id }, 'databases not refreshed');
    if (!(error instanceof NotionError && error.isLimit)) return;
    await blockConnection(workspace.id, error.retryAfterMs ?? SECOND_MS);
  });
}

const refusedForMs = (workspaceId: string) => blockedForMs(connectionLimit(workspaceId));

/** Why Notion will refuse the calls of a connection for long; null when it will not. */
async function whyRefused(workspaceId: string): Promise<string | null> {
  const hours = Math.round((await refusedForMs(workspaceId)) / HOUR_MS);
  if (hours < 1) return null;
  const then = hours === 1 ? 'an hour' : `${hours} hours`;
  return `Notion has blocked this connection for now. Nothing is posted until Pagewire asks again, in about ${then}.`;
}

// Read from the events' index, so that events need not update the database's row. Leaves out events that a pass made,
// which do not show whether Notion's events arrive.
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

function groupOptions({ options, groups }: SchemaProperty): Database['statusGroups'] {
  const grouped = groups.map(({ name, color, optionIds }) => {
    const ids = new Set(optionIds);
    return { name, color, options: options.filter(({ id }) => ids.has(id)) };
  });
  const all = new Set(groups.flatMap(({ optionIds }) => optionIds));
  const loose = options.filter(({ id }) => !all.has(id));
  return loose.length > 0 ? [...grouped, { name: 'Other', color: 'default', options: loose }] : grouped;
}
