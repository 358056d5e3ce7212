import { Prisma } from '@/lib/db/database';
import type { RowShape } from '@/lib/db/row-shape';
import type { Database } from '@/lib/integrations/notion/notion-catalog';

// If there are more former names, those that were gone before this reading are forgotten first. A rule then says that a
// property is gone without naming it.
const MAX_FORMER_NAMES = 300;
const MAX_FORMER_NAME = 100;

/** A row of `upsertDatabasesSql`: the property that makes a database a task database, and its former names. */
export const UPSERTED_ROW = { statusPropertyId: 'text?', formerNames: 'jsonb' } as const satisfies RowShape;

/** Databases as Notion showed them. */
export interface Reading {
  databases: Database[];
  /** When Notion was asked, on the database's clock. */
  askedAt: Date;
}

/**
 * Whether a stored database was read no later than this. A time in the future, left from before the clock was set back,
 * counts as earlier.
 */
export const readBeforeSql = (
  askedAt: Date,
) => Prisma.sql`(notion_database.schema_checked_at <= ${askedAt}::timestamptz
  or notion_database.schema_checked_at > clock_timestamp())`;

/**
 * Stores databases as they were read, except those that were stored from a later reading, and returns the status
 * property of each:
 *
 * 1. writes or replaces each database's own values;
 * 2. finds the names of properties and options that have gone since the last reading (`was`, `still`), and those that
 *    were gone before (`former`);
 * 3. keeps those names whose ids a rule of the database still uses, the newest first (`kept`).
 */
export const upsertDatabasesSql = (
  workspaceId: string,
  { databases, askedAt }: Reading,
): Prisma.Sql => Prisma.sql`
    insert into notion_database (workspace_id, id, name, icon, url, properties, is_shared, schema_checked_at)
    select ${workspaceId}::uuid, id, name, icon, url, properties, not "isTrashed", ${askedAt}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(databases)}::jsonb)
      as d(id text, name text, icon text, url text, properties jsonb, "isTrashed" boolean)
    on conflict (workspace_id, id) do update set name = excluded.name, icon = excluded.icon, url = excluded.url,
      properties = excluded.properties, is_shared = excluded.is_shared,
      schema_checked_at = excluded.schema_checked_at,
      former_names = (
        select coalesce(jsonb_object_agg(id, name), '{}') from (
          select id, left((array_agg(name order by is_new desc))[1], ${MAX_FORMER_NAME}::int) as name from (
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
          group by id order by max(is_new) desc limit ${MAX_FORMER_NAMES}::int
        ) kept)
    where ${readBeforeSql(askedAt)}
    returning status_property_id as "statusPropertyId", former_names as "formerNames"`;
