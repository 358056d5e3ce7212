import { db, Prisma, runStatement, type Transaction } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import type { Node, Parent } from '@/lib/integrations/notion/notion-parent';
import { DEEPEST } from './climb';

// Notion reports moves. This limits how long an unreported one goes unnoticed, and the number of rows.
const KEPT = Prisma.sql`interval '1 day'`;
// Notion does not report that a page is shared again.
const HIDDEN_KEPT = Prisma.sql`interval '1 hour'`;
const MAX_KEPT = 20_000;

interface KeptParent extends Parent {
  of: string;
}

/** The kept parents of a page, block or data source and of everything above it, by id. */
export async function readParents(workspaceId: string, id: string): Promise<Map<string, Parent>> {
  const rows = await runStatement<KeptParent>(Prisma.sql`
    with recursive up(id, parent_kind, parent_id, database_id, depth) as (
      select id, parent_kind, parent_id, database_id, 1 from notion_parent
      where workspace_id = ${workspaceId}::uuid and id = ${id} and ${isFresh('notion_parent')}
      union all
      select p.id, p.parent_kind, p.parent_id, p.database_id, depth + 1
      from up join notion_parent p on p.workspace_id = ${workspaceId}::uuid and p.id = up.parent_id and ${isFresh('p')}
      where depth < ${DEEPEST}::int
    )
    select id as of, parent_kind as kind, parent_id as id, database_id as "databaseId" from up`);
  return new Map(rows.map(({ of, ...parent }) => [of, parent]));
}

const isFresh = (table: string) => {
  const [kind, at] = [Prisma.raw(`${table}.parent_kind`), Prisma.raw(`${table}.learnt_at`)];
  return Prisma.sql`${at} > now() - case when ${kind} = 'unknown' then ${HIDDEN_KEPT} else ${KEPT} end`;
};

/**
 * Stores a parent that Notion returned when asked at `askedAt`, unless the workspace is gone or the page, or a data
 * source's database, has been moved since.
 */
export async function keepParent(
  workspaceId: string,
  { id }: Node,
  parent: Parent,
  askedAt: Date,
): Promise<void> {
  await db().$executeRaw`
    insert into notion_parent as kept (workspace_id, id, parent_kind, parent_id, database_id)
    select w.id, ${id}, ${parent.kind}::parent_kind, ${parent.id}, ${parent.databaseId}
    from notion_workspace w
    where w.id = ${workspaceId}::uuid and not exists (
      select 1 from notion_parent moved
      where moved.workspace_id = w.id and moved.id = ${parent.databaseId} and moved.forgotten_at >= ${askedAt}::timestamptz)
    for key share of w
    on conflict (workspace_id, id) do update set parent_kind = excluded.parent_kind, parent_id = excluded.parent_id,
      database_id = excluded.database_id, learnt_at = now(), forgotten_at = null
    where coalesce(kept.forgotten_at, '-infinity') < ${askedAt}::timestamptz`;
}

/**
 * Marks the parents of moved pages, databases and data sources as unknown and records the move, in every connection to
 * these workspaces that is not being deleted.
 */
export async function forgetParents(notionWorkspaceIds: string[], ids: string[]): Promise<void> {
  const own = Prisma.sql`
    with own as (
      select id from notion_workspace where notion_workspace_id = any(${notionWorkspaceIds}::text[])
      order by id for key share skip locked
    )`;
  await db().$executeRaw`
    ${own}
    insert into notion_parent (workspace_id, id, parent_kind, learnt_at, forgotten_at)
    select own.id, moved.id, 'unknown', 'epoch', now() from own
    cross join (select distinct id from unnest(${ids}::text[]) as id) moved order by 1, 2
    on conflict (workspace_id, id) do update set learnt_at = excluded.learnt_at, forgotten_at = excluded.forgotten_at`;
  // Second, because a concurrent `keepParent` of a data source checks the row of its database.
  await db().$executeRaw`
    ${own}
    update notion_parent p set learnt_at = 'epoch', forgotten_at = now() from own
    where p.workspace_id = ${lookedUp('own.id')} and p.database_id = any(${ids}::text[])`;
}

/** Deletes parents that are too old, and the oldest ones of workspaces with too many. */
export async function forgetOldParents(): Promise<void> {
  await db().$executeRaw`
    delete from notion_parent where learnt_at < now() - ${KEPT} and coalesce(forgotten_at, learnt_at) < now() - ${KEPT}`;
  await db().$executeRaw`
    delete from notion_parent p using (
      select workspace_id, id, row_number() over (partition by workspace_id order by learnt_at desc) as number
      from notion_parent where workspace_id in (
        select workspace_id from notion_parent group by workspace_id having count(*) > ${MAX_KEPT}::int)
    ) o
    where o.number > ${MAX_KEPT}::int and p.workspace_id = o.workspace_id and p.id = o.id`;
}

/** Forgets everything that is kept of a workspace. */
export async function forgetTree(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.notionParent.deleteMany({ where: { workspaceId } });
}
