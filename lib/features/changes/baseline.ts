import { z } from 'zod';
import { hash } from '@/lib/crypto';
import { db, type Transaction, transaction } from '@/lib/db/database';
import { listPages, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { listSharedPages } from '@/lib/integrations/notion/notion-search';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { MINUTE_MS } from '@/lib/time';
import { withNotion } from '../connections/notion-access';
import { OUTSIDE, toSnapshot } from '../matching/snapshot';
import { lockSnapshot, replaceSnapshot } from '../snapshots/stored-snapshots';

// Search returns a hundred pages at a time.
const MOST_SEARCHES = 20;

/** Properties of a database that no rule has tracked so far. */
const newlyTracked = z.object({
  workspaceId: z.uuid(),
  /** Empty for the pages of other sources. */
  databaseId: z.string(),
  propertyIds: z.array(z.string()),
});

type NewlyTracked = z.infer<typeof newlyTracked>;

export const captureBaselineJob = defineJob({
  name: 'capture-baseline',
  payload: newlyTracked.extend({
    /** Where an earlier batch stopped; absent for the first. */
    cursor: z.string().optional(),
    /** When the properties began to be tracked. */
    since: z.iso.datetime(),
  }),
  // The length of job keys and queue names is limited, the number of a database's properties is not.
  key: ({ workspaceId, databaseId, propertyIds }) =>
    `baseline:${workspaceId}:${databaseId}:${hash([...propertyIds].sort().join())}`,
  queue: ['workspaceId', 'databaseId'],
});

export interface FirstBatch {
  pages: Page[];
  nextCursor: string | null;
}

/**
 * The most recently edited pages of a database, read before a rule is saved; null when Notion refuses or does not
 * answer.
 */
export async function readFirstBatch(
  workspace: { id: string; sealedTokens: Uint8Array },
  databaseId: string,
): Promise<FirstBatch | null> {
  try {
    return await withNotion(workspace, (token) => listPages(token, databaseId));
  } catch (error) {
    if (error instanceof NotionError) return null;
    throw error;
  }
}

/**
 * Stores the newly tracked properties of a database's pages, so that even a first change has an old value to show. The
 * first batch is stored in the rule's own transaction, the rest by a job.
 */
export async function startBaseline(
  tx: Transaction,
  tracked: NewlyTracked,
  first: FirstBatch | null,
): Promise<void> {
  if (tracked.propertyIds.length === 0) return;
  for (const page of first?.pages ?? []) await capturePage(tx, tracked, page);
  if (first && !first.nextCursor) return;
  const payload = { ...tracked, cursor: first?.nextCursor ?? undefined, since: new Date().toISOString() };
  await enqueue(tx, captureBaselineJob, payload);
}

/**
 * Stores the rest of a database's pages. For rules with other sources, stores the titles of the shared pages that were
 * edited last. Returns when to try again if Notion does not answer.
 */
export async function captureBaseline(
  job: z.infer<typeof captureBaselineJob.payload>,
): Promise<{ done: true } | { retryInMs: number }> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: job.workspaceId } });
  if (!workspace) return { done: true };
  // Notion rounds the time of an edit down to the minute.
  const sinceMinute = Math.floor(Date.parse(job.since) / MINUTE_MS) * MINUTE_MS;
  try {
    let cursor = job.cursor;
    let batches = 0;
    do {
      const from = cursor;
      const batch = await withNotion(workspace, (token) => listBatch(token, job.databaseId, from));
      // Edited since: the old value can no longer be read, and the edit's own event will follow.
      const unedited = batch.pages.filter((page) => page.lastEditedAt.getTime() < sinceMinute);
      await transaction(async (tx) => {
        for (const page of unedited) await capturePage(tx, job, page);
      });
      cursor = batch.nextCursor ?? undefined;
      batches += 1;
    } while (cursor && (job.databaseId !== OUTSIDE || batches < MOST_SEARCHES));
    return { done: true };
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    // Gone or refused for good: there is nothing to store, and the rule's events will report it.
    if (!error.isTransient) return { done: true };
    return { retryInMs: error.retryAfterMs ?? MINUTE_MS };
  }
}

const listBatch = (token: string, databaseId: string, cursor?: string) =>
  databaseId === OUTSIDE ? listSharedPages(token, cursor) : listPages(token, databaseId, cursor);

async function capturePage(tx: Transaction, tracked: NewlyTracked, page: Page): Promise<void> {
  const before = await lockSnapshot(tx, tracked.workspaceId, page.id);
  const after = { ...before, ...toSnapshot(page, tracked.propertyIds) };
  const { id, databaseId } = page;
  await replaceSnapshot(tx, tracked.workspaceId, { id, databaseId: databaseId ?? OUTSIDE }, after);
}
