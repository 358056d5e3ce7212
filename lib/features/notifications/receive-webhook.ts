import { Prisma, runStatement } from '@/lib/db/database';
import { AppError } from '@/lib/errors';
import {
  handshakeToken,
  type NotionPageEvent,
  offeredToken,
  toPageEvent,
} from '@/lib/integrations/notion/notion-webhook';
import { log } from '@/lib/log';

/**
 * Takes a signed webhook. When this returns, the event is stored and its job enqueued, both or neither; an
 * event that is already stored changes nothing. Events of other kinds are accepted and left alone.
 * Throws `invalid_json`.
 */
export async function receiveNotionWebhook(raw: string): Promise<undefined> {
  const body = parse(raw);
  // The handshake of the subscription whose token we already have: nothing to learn.
  if (handshakeToken(body)) return undefined;
  const event = toPageEvent(body);
  if (!event) {
    log.info({ type: (body as { type?: unknown } | null)?.type }, 'webhook left alone');
    return undefined;
  }
  await storeEvent(event);
  return undefined;
}

/**
 * Shows the token of a subscription that is being made, in the log, where the operator reads it: Notion sends
 * it once, before anybody can have configured it. It changes nothing about which calls are believed.
 */
export async function showOfferedToken(raw: string, headers: Headers): Promise<boolean> {
  const token = await offeredToken(raw, headers);
  if (token)
    log.warn(`Notion offers a webhook token. To use that subscription set NOTION_WEBHOOK_TOKEN=${token}`);
  return token !== null;
}

/**
 * One statement, so that nothing can happen between its parts: every connection that can see the page gets the
 * event under its own id, and a page job when the page's database has rules. An event without a database is
 * resolved by the job, which reads the page.
 */
async function storeEvent(event: NotionPageEvent): Promise<void> {
  const { id, type, pageId, databaseId, occurredAt, authors, updatedProperties, notionWorkspaceId } = event;
  const botIds = event.botIds ?? [];
  await runStatement(Prisma.sql`
    with target as (
      select w.id as workspace_id,
        case when ${databaseId}::text is null
          then exists (select 1 from rule r where r.workspace_id = w.id)
          else exists (select 1 from rule r where r.workspace_id = w.id and r.database_id = ${databaseId})
        end as has_rules
      from notion_workspace w
      where w.bot_id = any(${botIds}::text[])
        or (${event.botIds === null} and w.notion_workspace_id = ${notionWorkspaceId})
    ), stored as (
      insert into notion_event (workspace_id, id, type, page_id, database_id, authors, updated_properties,
        occurred_at, processed_at, outcome)
      select workspace_id, ${id}, ${type}, ${pageId}, ${databaseId}, ${authors}::text[], ${updatedProperties}::text[],
        ${occurredAt}::timestamptz, case when has_rules then null else now() end,
        case when has_rules then null else 'no_rules' end
      from target
      on conflict do nothing
      returning workspace_id, processed_at
    )
    select graphile_worker.add_job('process-page',
      json_build_object('workspaceId', workspace_id, 'pageId', ${pageId}::text),
      queue_name => 'page:' || workspace_id || ':' || ${pageId},
      job_key => 'page:' || workspace_id || ':' || ${pageId},
      job_key_mode => 'preserve_run_at')
    from stored where processed_at is null`);
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    throw new AppError('invalid_json', 'The request body is not valid JSON.');
  }
}
