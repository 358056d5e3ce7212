import { db, Prisma, runStatement, transaction } from '@/lib/db/database';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { toDatabaseEvent } from '@/lib/integrations/notion/notion-webhook';
import { MINUTE_MS } from '@/lib/time';
import { refreshDatabase } from './refresh-workspace';
import { schemaOf } from './status-property';

interface DatabaseJob {
  workspaceId: string;
  databaseId: string;
}

export const databaseJobKey = ({ workspaceId, databaseId }: DatabaseJob) =>
  `refresh-database:${workspaceId}:${databaseId}`;

// Somebody who edits the columns of a database makes many events; one look at it answers them all. What Notion
// calls the content of a database is seldom more than a new page in it.
const GATHER_SECONDS = 2;
const GATHER_CONTENT_SECONDS = 60;

/**
 * Has a database that a webhook tells about read again, by one job for all that is told meanwhile. Returns
 * whether the webhook was about a database.
 */
export async function noteDatabaseEvent(body: unknown): Promise<boolean> {
  const event = toDatabaseEvent(body);
  if (!event) return false;
  const { databaseId, notionWorkspaceId, botIds } = event;
  const name = databaseId === null ? 'refresh-workspace' : 'refresh-database';
  const isContent = event.type.endsWith('.content_updated');
  await runStatement(Prisma.sql`
    select graphile_worker.add_job(${name}::text,
      json_strip_nulls(json_build_object('workspaceId', w.id, 'databaseId', ${databaseId}::text)),
      queue_name => key, job_key => key || ${isContent ? ':content' : ''}::text, job_key_mode => 'preserve_run_at',
      run_at => now() + ${isContent ? GATHER_CONTENT_SECONDS : GATHER_SECONDS}::int * interval '1 second')
    from notion_workspace w
    cross join lateral (select concat_ws(':', ${name}::text, w.id::text, ${databaseId}::text) as key) as k
    where w.bot_id = any(${botIds ?? []}::text[])
      or (${botIds === null}::boolean and w.notion_workspace_id = ${notionWorkspaceId})`);
  return true;
}

/**
 * Reads one database from Notion and keeps it, if its workspace still is connected. One that is gone, in the trash
 * or no longer shared is forgotten, or marked while rules use it. Returns when to try again while Notion does not
 * answer.
 */
export async function refreshKeptDatabase({
  workspaceId,
  databaseId,
}: DatabaseJob): Promise<{ done: true } | { retryInMs: number }> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: workspaceId } });
  if (!workspace) return { done: true };
  try {
    const { isTrashed } = await refreshDatabase(workspace, databaseId);
    if (isTrashed) await forgetDatabase({ workspaceId, databaseId });
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    if (error.isGone) await forgetDatabase({ workspaceId, databaseId });
    if (error.isTransient) return { retryInMs: error.retryAfterMs ?? MINUTE_MS };
  }
  return { done: true };
}

/** Forgets a database that Notion no longer shows; while rules use it, it is kept and marked as not shared. */
export async function forgetDatabase({ workspaceId, databaseId: id }: DatabaseJob): Promise<void> {
  await transaction(async (tx) => {
    await tx.notionDatabase.deleteMany({ where: { workspaceId, id, rules: { none: {} } } });
    await tx.notionDatabase.updateMany({
      where: { workspaceId, id },
      data: { isShared: false, schemaCheckedAt: new Date() },
    });
  });
}

/** Whether a page shows that the kept schema of its database is out of date. */
export function hasDrifted(database: { properties: unknown }, page: Page): boolean {
  const kept = new Map(schemaOf(database).map((property) => [property.id, property]));
  return [...page.values].some(([id, { name, optionId, text }]) => {
    const property = kept.get(id);
    if (property?.name !== name) return true;
    return optionId !== undefined && property.options.find((option) => option.id === optionId)?.name !== text;
  });
}
