import { z } from 'zod';
import { db, type Transaction, transaction } from '@/lib/db/database';
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
import { withNotion } from './notion-access';

export const refreshWorkspaceJob = defineJob({
  name: 'refresh-workspace',
  payload: z.object({
    workspaceId: z.uuid(),
    /** What is gathered for longer waits as a job of its own. */
    gathered: z.literal('content').optional(),
  }),
  key: ['workspaceId', 'gathered'],
  queue: ['workspaceId'],
});

interface WorkspaceAccess {
  id: string;
  sealedTokens: Uint8Array;
}

/** Reads a workspace's databases and people from Notion and keeps them. Throws NotionError. */
export async function refreshWorkspace(workspace: WorkspaceAccess): Promise<void> {
  const [databases, users] = await withNotion(workspace, (token) =>
    Promise.all([listDatabases(token), listUsers(token).catch(withoutUserCapability)]),
  );
  const unlisted = await listUnlistedInUse(workspace, databases);
  await saveCatalog(workspace.id, [...databases, ...unlisted], users);
}

/** Reads a workspace again if it still is connected; while Notion refuses, what is known stays. */
export async function refreshKeptWorkspace({ workspaceId }: { workspaceId: string }): Promise<void> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: workspaceId } });
  if (!workspace) return;
  await refreshWorkspace(workspace).catch((error) => {
    if (!(error instanceof NotionError)) throw error;
    log.warn({ err: error, workspaceId }, 'databases not refreshed');
  });
}

/** A database as it has just been read and stored. */
export interface StoredDatabase extends Database {
  /** Null for one without a status. */
  statusPropertyId: string | null;
}

/** Reads one database from Notion and keeps it. Throws NotionError. */
export async function refreshDatabase(
  workspace: WorkspaceAccess,
  databaseId: string,
): Promise<StoredDatabase> {
  const database = await withNotion(workspace, (token) => getDatabase(token, databaseId));
  const [stored] = await transaction((tx) => upsertDatabases(tx, workspace.id, [database]));
  return { ...database, statusPropertyId: stored?.statusPropertyId ?? null };
}

/** Keeps what was read and forgets the rest; a database that rules use is only marked as not shared. */
export async function saveCatalog(
  workspaceId: string,
  databases: Database[],
  users: WorkspaceUser[] | null,
): Promise<void> {
  const ids = databases.map(({ id }) => id);
  await transaction(async (tx) => {
    await upsertDatabases(tx, workspaceId, databases);
    const missing = { workspaceId, id: { notIn: ids } };
    await tx.notionDatabase.deleteMany({ where: { ...missing, rules: { none: {} } } });
    await tx.notionDatabase.updateMany({ where: missing, data: { isShared: false } });
    if (users) {
      await tx.notionUser.deleteMany({ where: { workspaceId, id: { notIn: users.map(({ id }) => id) } } });
      await tx.$executeRaw`
        insert into notion_user (workspace_id, id, name, email, avatar_url)
        select ${workspaceId}::uuid, id, name, email, "avatarUrl"
        from jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as u(id text, name text, email text, "avatarUrl" text)
        on conflict (workspace_id, id) do update
        set name = excluded.name, email = excluded.email, avatar_url = excluded.avatar_url`;
    }
    await tx.notionWorkspace.updateMany({
      where: { id: workspaceId },
      data: { catalogCheckedAt: new Date(), problem: null },
    });
  });
}

// Notion's search may leave out a database for a while; one that rules use is asked for by its id.
async function listUnlistedInUse(workspace: WorkspaceAccess, listed: Database[]): Promise<Database[]> {
  const inUse = await db().rule.findMany({
    where: { workspaceId: workspace.id, databaseId: { notIn: listed.map(({ id }) => id) } },
    distinct: ['databaseId'],
    select: { databaseId: true },
  });
  const found = await Promise.all(
    inUse.map(({ databaseId }) =>
      withNotion(workspace, (token) => getDatabase(token, databaseId)).catch(goneAsNull),
    ),
  );
  return found.filter((database) => database !== null && !database.isTrashed) as Database[];
}

// Names of what is gone are kept for the rules that still ask for it. When there are more, those that went before this
// look are forgotten first, and the rule then says that a property is gone without naming it.
const MOST_FORMER_NAMES = 300;
const FORMER_NAME_MAX = 100;

function upsertDatabases(tx: Transaction, workspaceId: string, databases: Database[]) {
  return tx.$queryRaw<{ statusPropertyId: string | null }[]>`
    insert into notion_database (workspace_id, id, name, icon, url, properties, is_shared, schema_checked_at)
    select ${workspaceId}::uuid, id, name, icon, url, properties, not "isTrashed", now()
    from jsonb_to_recordset(${JSON.stringify(databases)}::jsonb)
      as d(id text, name text, icon text, url text, properties jsonb, "isTrashed" boolean)
    on conflict (workspace_id, id) do update set name = excluded.name, icon = excluded.icon, url = excluded.url,
      properties = excluded.properties, is_shared = excluded.is_shared, schema_checked_at = now(),
      former_names = (
        select coalesce(jsonb_object_agg(id, name), '{}') from (
          select id, left((array_agg(name order by is_new desc))[1], ${FORMER_NAME_MAX}::int) as name from (
            select was ->> 'id' as id, was ->> 'name' as name, 1 as is_new
            from jsonb_path_query(notion_database.properties, 'strict $.** ? (exists (@.id))') as was
            where not exists (
              select 1 from jsonb_path_query(excluded.properties, 'strict $.** ? (exists (@.id))') as still
              where still -> 'id' = was -> 'id')
            union all
            select key, value, 0 from jsonb_each_text(notion_database.former_names)
          ) former
          where id in (
            select value #>> '{}' from rule, jsonb_path_query(to_jsonb(rule), 'strict $.**') as value
            where workspace_id = notion_database.workspace_id and database_id = notion_database.id)
          group by id order by max(is_new) desc limit ${MOST_FORMER_NAMES}::int
        ) kept)
    returning status_property_id as "statusPropertyId"`;
}

// A connection made without the user-information capability may not list people; it works without them.
function withoutUserCapability(error: unknown): null {
  if (error instanceof NotionError && error.status === 403) return null;
  throw error;
}

function goneAsNull(error: unknown): null {
  if (error instanceof NotionError && error.isGone) return null;
  throw error;
}
