import { z } from 'zod';
import { db } from '@/lib/db/database';
import {
  type Database,
  getDatabase,
  listDatabases,
  listUsers,
} from '@/lib/integrations/notion/notion-catalog';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { defineJob } from '@/lib/queue/define-job';
import { MINUTE_MS } from '@/lib/time';
import { goneAsNull, unreadableAsUndefined, withNotion } from './notion-access';
import type { WorkspaceAccess } from './notion-tokens';
import { type SharedDatabases, saveCatalog } from './save-catalog';
import { refreshPages } from './watched-pages';

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
  await saveCatalog(workspace.id, { askedAt, shared: await withUnlisted(workspace, listed), users });
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

/**
 * The listed databases and those that rules use, which Notion's search may omit for a while and which are read by id.
 * Throws NotionError.
 */
export async function withUnlisted(workspace: WorkspaceAccess, listed: Database[]): Promise<SharedDatabases> {
  const inUse = await db().notionDatabase.findMany({
    where: { workspaceId: workspace.id, id: { notIn: listed.map(({ id }) => id) }, rules: { some: {} } },
    select: { id: true },
  });
  const read = (id: string) =>
    withNotion(workspace, (token) => getDatabase(token, id))
      .catch(goneAsNull)
      .catch(unreadableAsUndefined);
  const found = await Promise.all(inUse.map(async ({ id }) => ({ id, database: await read(id) })));
  return {
    databases: [
      ...listed,
      ...found.flatMap(({ database }) => (database && !database.isTrashed ? database : [])),
    ],
    unreadable: found.filter(({ database }) => database === undefined).map(({ id }) => id),
  };
}

// A connection without the user-information capability may not list people; it works without them.
function withoutUserCapability(error: unknown): null {
  if (error instanceof NotionError && error.isForbidden) return null;
  throw error;
}
