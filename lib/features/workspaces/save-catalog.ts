import { Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { Database, WorkspaceUser } from '@/lib/integrations/notion/notion-catalog';
import { nameInstaller } from '../links/name-installer';
import { type Reading, readBeforeSql, upsertDatabasesSql } from './upsert-databases-sql';

/** The databases that are shared with a workspace's connection. */
export interface SharedDatabases {
  databases: Database[];
  /** The ids of those of which nothing more could be read. */
  unreadable: string[];
}

interface Catalog {
  /** Null if they were not read, like the users. */
  shared: SharedDatabases | null;
  users: WorkspaceUser[] | null;
  /** When Notion was asked, on the database's clock. */
  askedAt: Date;
}

/**
 * Stores what was read and deletes the rest; a database that rules use is only marked as not shared. Databases that
 * were read later, and what was not read, stay as they are. Without databases, the workspace is read again when it is
 * next shown.
 */
export async function saveCatalog(workspaceId: string, { shared, users, askedAt }: Catalog): Promise<void> {
  await transaction(async (tx) => {
    if (shared) await saveDatabases(tx, workspaceId, { ...shared, askedAt });
    if (users) await saveUsers(tx, workspaceId, users);
  });
  if (users) await nameInstaller(workspaceId);
}

async function saveDatabases(
  tx: Transaction,
  workspaceId: string,
  { unreadable, ...reading }: SharedDatabases & Reading,
): Promise<void> {
  // First, so that two readings of a workspace are stored one after the other and cannot lock each other's rows.
  const data = { catalogCheckedAt: new Date(), problem: null };
  await tx.notionWorkspace.updateMany({ where: { id: workspaceId }, data });
  await tx.$queryRaw(upsertDatabasesSql(workspaceId, reading));
  const ids = [...reading.databases.map(({ id }) => id), ...unreadable];
  const isMissing = Prisma.sql`id <> all(${ids}::text[])`;
  await forgetDatabases(tx, { workspaceId, askedAt: reading.askedAt }, isMissing);
}

/**
 * Deletes databases that Notion no longer showed when it was asked at `askedAt`, and marks those that rules use as not
 * shared. Those that were read later stay as they are. `which` selects among the rows of a workspace.
 */
export async function forgetDatabases(
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
