import { z } from 'zod';
import { db, Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import type { RowOf } from '@/lib/db/row-shape';
import { AppError } from '@/lib/errors';
import {
  type Database,
  getDatabase,
  getPersonName,
  listDatabases,
  listUsers,
  type WorkspaceUser,
} from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { defineJob } from '@/lib/queue/define-job';
import { MINUTE_MS } from '@/lib/time';
import { listKnownPeople } from '../links/known-people';
import { nameInstaller } from '../links/name-installer';
import { goneAsNull, withNotion } from './notion-access';
import type { WorkspaceAccess } from './notion-tokens';
import { refreshPages } from './refresh-page';
import { schemaOf } from './status-property';
import { type Reading, readBeforeSql, type UPSERTED_ROW, upsertDatabasesSql } from './upsert-databases-sql';

// The most unlisted people for one rule.
const MAX_GUESTS = 10;

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

/** Reads a workspace's databases, its people and the pages that rules watch, and stores them. Throws NotionError. */
export async function refreshWorkspace(workspace: WorkspaceAccess): Promise<void> {
  const askedAt = await readDatabaseClock();
  const [listed, users] = await withNotion(workspace, (token) =>
    Promise.all([listDatabases(token), listUsers(token).catch(withoutUserCapability)]),
  );
  await saveCatalog(workspace.id, { askedAt, databases: await withUnlisted(workspace, listed), users });
  await refreshPages(workspace);
}

/**
 * Reads a workspace again if it is still connected. If Notion refuses, the stored values stay. Returns when to try
 * again if Notion does not answer.
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
  return { ...database, statusPropertyId: stored.statusPropertyId };
}

async function findLater(workspaceId: string, id: string): Promise<StoredDatabase> {
  const later = await db().notionDatabase.findFirst({ where: { workspaceId, id, isShared: true } });
  if (!later) throw new NotionError(404, 'object_not_found', 'A later reading did not find the database');
  const { name, icon, url, statusPropertyId } = later;
  return { id, name, icon, url, isTrashed: false, properties: schemaOf(later), statusPropertyId };
}

interface Catalog {
  /** Null if they were not read, like the users. */
  databases: Database[] | null;
  users: WorkspaceUser[] | null;
  /** When Notion was asked, on the database's clock. */
  askedAt: Date;
}

/**
 * Stores what was read and deletes the rest; a database that rules use is only marked as not shared. Databases that
 * were read later, and what was not read, stay as they are. Without databases, the workspace is read again when it is
 * next shown.
 */
export async function saveCatalog(
  workspaceId: string,
  { databases, users, askedAt }: Catalog,
): Promise<void> {
  await transaction(async (tx) => {
    if (databases) await saveDatabases(tx, workspaceId, { databases, askedAt });
    if (users) await saveUsers(tx, workspaceId, users);
  });
  if (users) await nameInstaller(workspaceId);
}

async function saveDatabases(tx: Transaction, workspaceId: string, reading: Reading): Promise<void> {
  // First, so that two readings of a workspace are stored one after the other and cannot lock each other's rows.
  const data = { catalogCheckedAt: new Date(), problem: null };
  await tx.notionWorkspace.updateMany({ where: { id: workspaceId }, data });
  await tx.$queryRaw(upsertDatabasesSql(workspaceId, reading));
  const ids = reading.databases.map(({ id }) => id);
  const isMissing = Prisma.sql`id <> all(${ids}::text[])`;
  await forgetDatabases(tx, { workspaceId, askedAt: reading.askedAt }, isMissing);
}

/**
 * Deletes databases that Notion no longer showed when it was asked at `askedAt`, and marks those that rules use as not
 * shared. Those that were read later stay as they are. `which` selects among the rows of a workspace.
 */
async function forgetDatabases(
  tx: Transaction,
  { workspaceId, askedAt }: { workspaceId: string; askedAt: Date },
  which: Prisma.Sql,
): Promise<void> {
  // A rule that is created at the same time must not be deleted with its database: either the rule is stored by the
  // time the lock is held, or it finds its database gone.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from notion_database
    where workspace_id = ${workspaceId}::uuid and ${which} and ${readBeforeSql(askedAt)} order by id for update`;
  const gone = { workspaceId, id: { in: rows.map(({ id }) => id) } };
  await tx.notionDatabase.deleteMany({ where: { ...gone, rules: { none: {} } } });
  await tx.notionDatabase.updateMany({ where: gone, data: { isShared: false, schemaCheckedAt: askedAt } });
}

async function saveUsers(tx: Transaction, workspaceId: string, users: WorkspaceUser[]): Promise<void> {
  const listed = users.map(({ id }) => id);
  await tx.$executeRaw`
    delete from notion_user u where workspace_id = ${workspaceId}::uuid and id <> all(${listed}::text[])
      and not (is_guest and exists (
        select 1 from rule where workspace_id = u.workspace_id and authors->'people' @> to_jsonb(u.id)))`;
  await tx.$executeRaw`
    insert into notion_user (workspace_id, id, name, email, avatar_url)
    select ${workspaceId}::uuid, id, name, email, "avatarUrl"
    from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as u(id text, name text, email text, "avatarUrl" text)
    on conflict (workspace_id, id) do update
    set name = excluded.name, email = excluded.email, avatar_url = excluded.avatar_url, is_guest = false`;
}

/**
 * Stores those of these people whom the workspace does not list although Notion knows them, such as guests, so that a
 * rule can name them. Asks Notion for ten of them at most. Throws `upstream_failed` when it does not answer.
 */
export async function keepGuests(workspace: NotionWorkspace, notionUserIds: string[]): Promise<void> {
  if (notionUserIds.length === 0) return;
  const known = new Set((await listKnownPeople(workspace)).map(({ id }) => id));
  const unlisted = notionUserIds.filter((id) => !known.has(id));
  for (const id of unlisted.slice(0, MAX_GUESTS)) {
    const name = await withNotion(workspace, (token) => getPersonName(token, id)).catch(nobody);
    const guest = name && { workspaceId: workspace.id, id, name, isGuest: true };
    if (guest) await db().notionUser.createMany({ data: guest, skipDuplicates: true });
  }
}

function nobody(error: unknown): null {
  if (!(error instanceof NotionError)) throw error;
  if (!error.isTransient) return null;
  throw new AppError('upstream_failed', 'Notion does not answer. Try again in a minute.');
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
