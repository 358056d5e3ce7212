import { z } from 'zod';
import { db, Prisma, runStatement, transaction } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { type Database, getDatabase } from '@/lib/integrations/notion/notion-catalog';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { toDatabaseEvent } from '@/lib/integrations/notion/notion-webhook';
import { log } from '@/lib/log';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { defineJob } from '@/lib/queue/define-job';
import { enqueueRowsSql } from '@/lib/queue/enqueue';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { schemaOf } from './database-schema';
import { withNotion } from './notion-access';
import type { WorkspaceAccess } from './notion-tokens';
import { refreshWorkspaceJob } from './refresh-workspace';
import { forgetDatabases } from './save-catalog';
import { type UPSERTED_ROW, upsertDatabasesSql } from './upsert-databases-sql';

export const refreshDatabaseJob = defineJob({
  name: 'refresh-database',
  payload: z.object({
    workspaceId: z.uuid(),
    databaseId: z.string(),
    gathered: z.literal('content').optional(),
  }),
  key: ['workspaceId', 'databaseId', 'gathered'],
  queue: ['workspaceId', 'databaseId'],
});

type DatabaseJob = z.infer<typeof refreshDatabaseJob.payload>;

// Editing the columns of a database causes many events, and one reading serves them all. An event about the content
// of a database rarely means more than a new page in it, so those wait longer.
const DEBOUNCE_MS = 2 * SECOND_MS;
const DEBOUNCE_CONTENT_MS = MINUTE_MS;

/**
 * Enqueues a read of the database that a webhook is about; one job serves all webhooks until it runs. Returns whether
 * the webhook was about a database.
 */
export async function noteDatabaseEvent(body: unknown): Promise<boolean> {
  const event = toDatabaseEvent(body);
  if (!event) return false;
  const { databaseId, notionWorkspaceId, botIds } = event;
  const isContent = event.type.endsWith('.content_updated');
  const rows = {
    accountId: Prisma.sql`w.account_id`,
    from: Prisma.sql`notion_workspace w where w.bot_id = any(${botIds ?? []}::text[])
      or (${botIds === null}::boolean and w.notion_workspace_id = ${notionWorkspaceId})`,
    debounceMs: isContent ? DEBOUNCE_CONTENT_MS : DEBOUNCE_MS,
  };
  const gathered = Prisma.sql`${isContent ? 'content' : null}::text`;
  const payload = { workspaceId: Prisma.sql`w.id`, gathered };
  await runStatement(
    databaseId === null
      ? enqueueRowsSql(refreshWorkspaceJob, { payload, ...rows })
      : enqueueRowsSql(refreshDatabaseJob, {
          payload: { ...payload, databaseId: Prisma.sql`${databaseId}::text` },
          ...rows,
        }),
  );
  return true;
}

/** A database as it has just been read and stored. */
export interface StoredDatabase extends Database {
  /** Null for a database without a status. */
  statusPropertyId: string | null;
  /** As `formerNamesOf` reads them. */
  formerNames: unknown;
}

/**
 * Reads one database from Notion and stores it. A database that is gone, in the trash or no longer shared is deleted,
 * or marked if rules use it. If a later reading was stored meanwhile, that one stands and is returned. Throws
 * NotionError.
 */
export async function refreshDatabase(
  workspace: WorkspaceAccess,
  databaseId: string,
): Promise<StoredDatabase> {
  const read = { workspaceId: workspace.id, askedAt: await readDatabaseClock() };
  const forget = (id: string) => transaction((tx) => forgetDatabases(tx, read, Prisma.sql`id = ${id}`));
  const database = await withNotion(workspace, (token) => getDatabase(token, databaseId)).catch(
    async (error) => {
      if (error instanceof NotionError && error.isGone) await forget(databaseId);
      throw error;
    },
  );
  const [stored] = await db().$queryRaw<RowOf<typeof UPSERTED_ROW>[]>(
    upsertDatabasesSql(workspace.id, { ...read, databases: [database] }),
  );
  if (!stored) return findLater(workspace.id, database.id);
  if (database.isTrashed) await forget(database.id);
  return { ...database, ...stored };
}

async function findLater(workspaceId: string, id: string): Promise<StoredDatabase> {
  const later = await db().notionDatabase.findFirst({ where: { workspaceId, id, isShared: true } });
  if (!later) throw new NotionError(404, 'object_not_found', 'A later reading did not find the database');
  const { name, icon, url, statusPropertyId, formerNames } = later;
  return {
    id,
    name,
    icon,
    url,
    isTrashed: false,
    properties: schemaOf(later),
    statusPropertyId,
    formerNames,
  };
}

/**
 * Reads one database from Notion and stores what became of it, if its workspace is still connected. Returns when to try
 * again if Notion does not answer.
 */
export async function refreshKeptDatabase({
  workspaceId,
  databaseId,
}: DatabaseJob): Promise<{ done: true } | { retryInMs: number }> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: workspaceId } });
  if (!workspace) return { done: true };
  try {
    await refreshDatabase(workspace, databaseId);
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isTransient) return { retryInMs: error.retryAfterMs ?? MINUTE_MS };
    if (!error.isGone) log.warn({ err: error, workspaceId, databaseId }, 'database not refreshed');
  }
  return { done: true };
}

/** Whether a page shows that the stored schema of its database is out of date. */
export function hasDrifted(database: { properties: unknown }, page: Page): boolean {
  const kept = new Map(schemaOf(database).map((property) => [property.id, property]));
  return [...page.values].some(([id, { name, optionId, text }]) => {
    const property = kept.get(id);
    if (property?.name !== name) return true;
    return optionId !== undefined && property.options.find((option) => option.id === optionId)?.name !== text;
  });
}
