import { Prisma } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';

/** A row of `eventsSql`. */
export const EVENT_ROW = {
  id: 'text',
  type: 'text',
  pageId: 'text',
  databaseId: 'text?',
  parentKind: 'text?',
  parentId: 'text?',
  commentId: 'text?',
  authors: 'json',
  botAuthors: 'json',
  updatedProperties: 'json',
  occurredAt: 'timestamptz',
  receivedAt: 'timestamptz',
  processedAt: 'timestamptz?',
  outcome: 'text?',
  found: 'int4',
} as const satisfies RowShape;

interface Span {
  workspaceId: string;
  /** The databases whose events are read, in addition to events that name none. */
  databaseIds: string[];
  since: Date;
  /** The most events that are read. */
  most: number;
  mostBytes: number;
}

/**
 * Reads the newest events of databases since a time, newest first, up to a number and a size:
 *
 * 1. reads the newest of each database, and of those that name none, each time up to one more than the number;
 * 2. takes the newest of all these, again up to one more than the number. Each row says how many they are (`found`);
 * 3. adds up their sizes, beginning with the newest (`bytes`), and leaves out what exceeds the number or the size.
 */
export const eventsSql = ({ workspaceId, databaseIds, since, most, mostBytes }: Span): Prisma.Sql => {
  const of = (database: Prisma.Sql) => Prisma.sql`(
    select * from notion_event
    where database_id ${database} and workspace_id = ${workspaceId}::uuid and occurred_at >= ${since}::timestamptz
    order by occurred_at desc limit ${most + 1})`;
  const ofDatabases = Prisma.sql`
    select e.* from unnest(${databaseIds}::text[]) as d(id) cross join lateral ${of(Prisma.sql`= ${lookedUp('d.id')}`)} e`;
  return Prisma.sql`
    select id, type, page_id as "pageId", database_id as "databaseId",
      parent_kind::text as "parentKind", parent_id as "parentId", comment_id as "commentId", to_json(authors) as authors,
      to_json(bot_authors) as "botAuthors", to_json(updated_properties) as "updatedProperties",
      occurred_at as "occurredAt", received_at as "receivedAt", processed_at as "processedAt", outcome, found
    from (
      select e.*, sum(pg_column_size(authors) + pg_column_size(updated_properties))
        over (order by occurred_at desc, id) as bytes, count(*) over ()::int as found
      from (
        select * from (${ofDatabases} union all ${of(Prisma.sql`is null`)}) one order by occurred_at desc limit ${most + 1}
      ) e
    ) newest
    where bytes <= ${mostBytes}
    order by "occurredAt" desc, id limit ${most}`;
};

/** A row of `keptSql`. */
export const KEPT_ROW = { id: 'uuid', eventId: 'text', sealedSummary: 'bytea' } as const satisfies RowShape;

interface KeptSpan extends Omit<Span, 'databaseIds'> {
  accountId: string;
  databaseId: string;
}

/**
 * Reads what the rules of a database have kept of the events that they posted since a time:
 *
 * 1. reads the newest decisions of each rule that have kept something, up to a number;
 * 2. adds up their sizes, beginning with the newest (`bytes`), and leaves out what exceeds a size.
 */
export const keptSql = ({
  accountId,
  workspaceId,
  databaseId,
  since,
  most,
  mostBytes,
}: KeptSpan) => Prisma.sql`
  select id, event_id as "eventId", sealed_summary as "sealedSummary"
  from (
    select d.*, sum(octet_length(sealed_summary)) over (order by sequence desc) as bytes
    from rule r cross join lateral (
      select id, event_id, sequence, sealed_summary from decision
      where rule_id = ${lookedUp('r.id')} and event_at >= ${since}::timestamptz and sealed_summary is not null
        and outcome in ('message', 'settling', 'gathered')
      order by sequence desc limit ${most}
    ) d
    where r.account_id = ${accountId}::uuid and r.workspace_id = ${workspaceId}::uuid and r.database_id = ${databaseId}
  ) newest
  where bytes <= ${mostBytes}`;
