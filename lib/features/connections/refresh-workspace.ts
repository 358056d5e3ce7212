import { z } from 'zod';
import { db, type Transaction, transaction } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import {
  type Database,
  getDatabase,
  listDatabases,
  listUsers,
  type WorkspaceUser,
} from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { MINUTE_MS } from '@/lib/time';
import { withNotion } from './notion-access';
import { refreshPages } from './refresh-page';
import { type UPSERTED_ROW, upsertDatabasesSql } from './upsert-databases-sql';

export const refreshWorkspaceJob = defineJob({
  name: 'refresh-workspace',
  payload: z.object({
    workspaceId: z.uuid(),
    /** Jobs that wait longer, to serve more webhooks, have a separate key. */
    gathered: z.literal('content').optional(),
  }),
  key: ['workspaceId', 'gathered'],
  queue: ['workspaceId'],
});

interface WorkspaceAccess {
  id: string;
  sealedTokens: Uint8Array;
}

/** Reads a workspace's databases, its people and the pages that rules watch, and stores them. Throws NotionError. */
export async function refreshWorkspace(workspace: WorkspaceAccess): Promise<void> {
  const [databases, users] = await withNotion(workspace, (token) =>
    Promise.all([listDatabases(token), listUsers(token).catch(withoutUserCapability)]),
  );
  await saveCatalog(workspace.id, await withUnlisted(workspace, databases), users);
  await refreshPages(workspace);
}

/**
 * Reads a workspace again if it is still connected. If Notion refuses, the stored values stay. Returns when to try again
 * if Notion does not answer.
 */
export async function refreshKeptWorkspace({
  workspaceId,
}: {
  workspaceId: string;
}): Promise<{ done: true } | { retryInMs: number }> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: workspaceId } });
  if (!workspace) return { done: true };
  try {
    await refreshWorkspace(workspace);
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isTransient) return { retryInMs: error.retryAfterMs ?? MINUTE_MS };
    log.warn({ err: error, workspaceId }, 'databases not refreshed');
  }
  return { done: true };
}

/** A database as it has just been read and stored. */
export interface StoredDatabase extends Database {
  /** Null for a database without a status. */
  statusPropertyId: string | null;
}

/** Reads one database from Notion and stores it. Throws NotionError. */
export async function refreshDatabase(
  workspace: WorkspaceAccess,
  databaseId: string,
): Promise<StoredDatabase> {
  const database = await withNotion(workspace, (token) => getDatabase(token, databaseId));
  const [stored] = await db().$queryRaw<RowOf<typeof UPSERTED_ROW>[]>(
    upsertDatabasesSql(workspace.id, [database]),
  );
  return { ...database, statusPropertyId: stored?.statusPropertyId ?? null };
}

/**
 * Stores what was read and deletes the rest; a database that rules use is only marked as not shared. What was not read
 * is null and stays as it is. Without databases, the workspace is read again when it is next shown.
 */
export async function saveCatalog(
  workspaceId: string,
  databases: Database[] | null,
  users: WorkspaceUser[] | null,
): Promise<void> {
  await transaction(async (tx) => {
    if (databases) await saveDatabases(tx, workspaceId, databases);
    if (users) await saveUsers(tx, workspaceId, users);
  });
}

async function saveDatabases(tx: Transaction, workspaceId: string, databases: Database[]): Promise<void> {
  await tx.$queryRaw(upsertDatabasesSql(workspaceId, databases));
  const missing = { workspaceId, id: { notIn: databases.map(({ id }) => id) } };
  await tx.notionDatabase.deleteMany({ where: { ...missing, rules: { none: {} } } });
  await tx.notionDatabase.updateMany({ where: missing, data: { isShared: false } });
  const data = { catalogCheckedAt: new Date(), problem: null };
  await tx.notionWorkspace.updateMany({ where: { id: workspaceId }, data });
}

async function saveUsers(tx: Transaction, workspaceId: string, users: WorkspaceUser[]): Promise<void> {
  await tx.notionUser.deleteMany({ where: { workspaceId, id: { notIn: users.map(({ id }) => id) } } });
  await tx.$executeRaw`
    insert into notion_user (workspace_id, id, name, email, avatar_url)
    select ${workspaceId}::uuid, id, name, email, "avatarUrl"
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as u(id text, name text, email text, "avatarUrl" text)
    on conflict (workspace_id, id) do update
    set name = excluded.name, email = excluded.email, avatar_url = excluded.avatar_url`;
}

/**
 * The listed databases and those that rules use, which Notion's search may omit for a while and which are read by id.
 * Throws NotionError.
 */
export async function withUnlisted(workspace: WorkspaceAccess, listed: Database[]): Promise<Database[]> {
  const inUse = await db().notionDatabase.findMany({
    where: { workspaceId: workspace.id, id: { notIn: listed.map(({ id }) => id) }, rules: { some: {} } },
    select: { id: true },
  });
  const found = await Promise.all(
    inUse.map(({ id }) => withNotion(workspace, (token) => getDatabase(token, id)).catch(goneAsNull)),
  );
  return [...listed, ...found.filter((database) => database !== null && !database.isTrashed)] as Database[];
}

// A connection without the user-information capability may not list people; it works without them.
function withoutUserCapability(error: unknown): null {
  if (error instanceof NotionError && error.isForbidden) return null;
  throw error;
}

function goneAsNull(error: unknown): null {
  if (error instanceof NotionError && error.isGone) return null;
  throw error;
}
