import { Prisma, runStatement } from '@/lib/db/database';
import { AppError } from '@/lib/errors';
import { handshakeToken, type NotionPageEvent, toPageEvent } from '@/lib/integrations/notion/notion-webhook';
import { log } from '@/lib/log';
import { heardBy, hearerOf } from '@/lib/queue/hear-here';
import { inBatches } from '@/lib/queue/in-batches';
import { noteDatabaseEvent } from '../connections/refresh-database';
import { noteSignedEvent } from './offered-token';

/**
 * Takes a signed webhook. When this returns, the event is stored and its page's turn due, both or neither; an
 * event that is already stored changes nothing. Events about a database have it read again. Events of other kinds
 * are accepted and left alone.
 * Throws `invalid_json`.
 */
export async function receiveNotionWebhook(raw: string): Promise<undefined> {
  const body = parse(raw);
  if (body === undefined) throw new AppError('invalid_json', 'The request body is not valid JSON.');
  // The handshake of the subscription whose token we already have: nothing to learn.
  if (handshakeToken(body)) return undefined;
  const event = toPageEvent(body);
  if (!event) {
    if (await noteDatabaseEvent(body)) return undefined;
    log.info({ type: (body as { type?: unknown } | null)?.type }, 'webhook left alone');
    return undefined;
  }
  await storeEvent(event);
  await noteSignedEvent();
  return undefined;
}

const LARGEST_BATCH = 100;
const storeEvent = inBatches(storeEvents, LARGEST_BATCH);

/**
 * One statement for whatever comes at the same time, so that nothing can happen between its parts: every connection
 * that can see the page gets the event under its own id, and the page a turn when its database has rules. An event
 * without a database is placed by the turn, which reads the page. What is written is locked in one order, so that
 * two processes do not wait for each other.
 */
async function storeEvents(events: NotionPageEvent[]): Promise<undefined[]> {
  const botIds = events.flatMap((event) => event.botIds ?? []);
  const workspaces = events.filter((event) => !event.botIds).map((event) => event.notionWorkspaceId);
  const hearer = hearerOf('page_turn');
  const woken = await runStatement(Prisma.sql`
    with told as materialized (
      select * from json_to_recordset(${JSON.stringify(events)}::json) as e(id text, type text, "pageId" text,
        "databaseId" text, "notionWorkspaceId" text, "botIds" text[], authors text[], "updatedProperties" text[],
        "occurredAt" timestamptz)
      where ${heardBy(hearer)}
    ), seen as materialized (
      select w.id, w.bot_id, w.notion_workspace_id from notion_workspace w
      where w.id = any(array(
        select id from notion_workspace where bot_id = any(${botIds}::text[])
        union all select id from notion_workspace where notion_workspace_id = any(${workspaces}::text[])))
      order by w.id for key share
    ), target as (
      select t.*, s.id as workspace_id,
        exists (select 1 from rule r where r.workspace_id = s.id
          and (t."databaseId" is null or r.database_id = t."databaseId")) as has_rules
      from told t join seen s
        on s.bot_id = any(t."botIds") or (t."botIds" is null and s.notion_workspace_id = t."notionWorkspaceId")
    ), stored as (
      insert into notion_event (workspace_id, id, type, page_id, database_id, authors, updated_properties,
        occurred_at, processed_at, outcome)
      select workspace_id, id, type, "pageId", "databaseId", authors, "updatedProperties", "occurredAt",
        case when has_rules then null else now() end, case when has_rules then null else 'no_rules' end
      from target order by workspace_id, id
      on conflict do nothing
      returning workspace_id, page_id, processed_at
    )
    select wake_pages(array_agg(workspace_id), array_agg(page_id)) from stored where processed_at is null
    having count(*) > 0`);
  if (woken.length > 0) hearer?.wake();
  return [];
}

/** The body, or undefined when it is not JSON. */
function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
