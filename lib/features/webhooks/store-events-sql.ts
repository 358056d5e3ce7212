import { Prisma } from '@/lib/db/database';
import { lookedUpFrom } from '@/lib/db/planner-hints';
import type { NotionPageEvent } from '@/lib/integrations/notion/notion-webhook';

/**
 * Stores the events of several webhooks, in one statement, so that nothing can happen between its parts:
 *
 * 1. locks every connection that can see one of the pages, always in the same order, so that two processes cannot
 *    deadlock (`seen`): an event names the bots that see it, or only the workspace;
 * 2. pairs events with connections, and looks whether the connection has rules for the event's database (`target`): for
 *    any database when the event names none (the turn reads it from the page); for a comment, rules for comments. A
 *    rule about a page may concern anything, because only the turn finds out what is below that page. A page that was
 *    made from a message needs no rule, because the message gets a reply;
 * 3. writes each event once for each connection (`stored`); without rules it is finished at once;
 * 4. wakes the turns of the pages that have to be looked at; returns a row when there are any.
 *
 * `first` (`withoutNotify`) and `patience` (`lockPatience`) are always true; they have side effects that must come
 * before any waking and any lock.
 */
export function storeEventsSql(
  events: NotionPageEvent[],
  first: Prisma.Sql,
  patience: Prisma.Sql,
): Prisma.Sql {
  const botIds = events.flatMap((event) => event.botIds ?? []);
  const workspaces = events.filter((event) => !event.botIds).map((event) => event.notionWorkspaceId);
  return Prisma.sql`
    with told as materialized (
      select * from json_to_recordset(${JSON.stringify(events)}::json) as e(id text, type text, "pageId" text,
        "databaseId" text, "parentKind" parent_kind, "parentId" text, "commentId" text, "notionWorkspaceId" text,
        "botIds" text[], authors text[], "botAuthors" text[], "updatedProperties" text[], "occurredAt" timestamptz)
      where ${first}
    ), seen as materialized (
      select w.id, w.bot_id, w.notion_workspace_id from notion_workspace w
      where w.id = ${lookedUpFrom(Prisma.sql`
        select id from notion_workspace where bot_id = any(${botIds}::text[])
        union all select id from notion_workspace where notion_workspace_id = any(${workspaces}::text[])`)}
        and (select ${patience})
      order by w.id for key share
    ), target as (
      select t.*, s.id as workspace_id,
        exists (select 1 from rule r where r.workspace_id = s.id
          and (t."commentId" is null or r.event_type = 'comment_created')
          and (r.database_id = t."databaseId"
            or t."parentKind" is null and t."databaseId" is null
            or r.source_kind <> 'database' and (r.source_kind = 'workspace' or r.subpages = 'all'
              or r.page_id in (t."pageId", t."parentId")
              or r.subpages = 'children' and coalesce(t."parentKind", 'block') = 'block')))
          or t.type in ('page.properties_updated', 'page.created') and exists (
            select 1 from task_echo k where k.workspace_id = s.id and k.page_id = t."pageId") as has_rules
      from told t join seen s
        on s.bot_id = any(t."botIds") or (t."botIds" is null and s.notion_workspace_id = t."notionWorkspaceId")
    ), stored as (
      insert into notion_event (workspace_id, id, type, page_id, database_id, parent_kind, parent_id, comment_id, authors,
        bot_authors, updated_properties, occurred_at, processed_at, outcome)
      select workspace_id, id, type, "pageId", "databaseId", "parentKind", "parentId", "commentId", authors, "botAuthors",
        "updatedProperties", "occurredAt",
        case when has_rules then null else now() end, case when has_rules then null else 'no_rules' end
      from target order by workspace_id, id
      on conflict do nothing
      returning workspace_id, page_id, processed_at
    )
    select wake_pages(array_agg(workspace_id), array_agg(page_id)) from stored where processed_at is null
    having count(*) > 0`;
}
