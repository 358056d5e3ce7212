import { z } from 'zod';
import { hash } from '@/lib/crypto';
import { db, type Transaction, transaction } from '@/lib/db/database';
import { listPages, type Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { listSharedPages } from '@/lib/integrations/notion/notion-search';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { DAY_MS, MINUTE_MS, toMinute } from '@/lib/time';
import { blockedForMs, connectionLimit } from '../calls/call-limits';
import { OUTSIDE, toSnapshot } from '../matching/snapshot';
import { lockSnapshot, replaceSnapshot } from '../snapshots/stored-snapshots';
import { withNotion } from '../workspaces/notion-access';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import { blockConnection } from './block-connection';

// Search returns a hundred pages at a time.
const MAX_SEARCHES = 20;

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
  /** When Notion was asked for it, on the database's clock. */
  askedAt: Date;
}

/**
 * The most recently edited pages of a database, or of all that is shared, read before a rule is saved; null when Notion
 * refuses or does not answer.
 */
export async function readFirstBatch(
  workspace: WorkspaceAccess,
  databaseId: string,
): Promise<FirstBatch | null> {
  const askedAt = await readDatabaseClock();
  try {
    return { askedAt, ...(await withNotion(workspace, (token) => listBatch(token, databaseId))) };
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
  { accountId, ...tracked }: NewlyTracked & { accountId: string },
  first: FirstBatch | null,
): Promise<void> {
  if (tracked.propertyIds.length === 0) return;
  if (first) await captureBatch(tx, tracked, first);
  if (first && !first.nextCursor) return;
  const payload = { ...tracked, cursor: first?.nextCursor ?? undefined, since: new Date().toISOString() };
  await enqueue(tx, captureBaselineJob, payload, { accountId });
}

type BaselineJob = z.infer<typeof captureBaselineJob.payload>;

/**
 * Stores the rest of a database's pages. For rules with other sources, stores the titles of the shared pages that were
 * edited last. Returns when to go on, and from where, if Notion does not answer.
 */
export async function captureBaseline(
  job: BaselineJob,
): Promise<{ done: true } | { retryInMs: number; rest: BaselineJob }> {
  const workspace = await db().notionWorkspace.findUnique({ where: { id: job.workspaceId } });
  if (!workspace) return { done: true };
  let { cursor } = job;
  const blockedMs = await blockedForMs(connectionLimit(workspace.id));
  if (blockedMs > 0) return { retryInMs: blockedMs, rest: job };
  // Notion rounds the time of an edit down to the minute.
  const sinceMinute = toMinute(Date.parse(job.since)).getTime();
  try {
    let batches = 0;
    do {
      const from = cursor;
      const askedAt = await readDatabaseClock();
      const batch = await withNotion(workspace, (token) => listBatch(token, job.databaseId, from));
      // Edited since: the old value can no longer be read, and the edit's own event will follow.
      const pages = batch.pages.filter((page) => page.lastEditedAt.getTime() < sinceMinute);
      await transaction((tx) => captureBatch(tx, job, { pages, askedAt }));
      cursor = batch.nextCursor ?? undefined;
      batches += 1;
    } while (cursor && (job.databaseId !== OUTSIDE || batches < MAX_SEARCHES));
    return { done: true };
  } catch (error) {
    if (!(error instanceof NotionError)) throw error;
    // Gone or refused for good: there is nothing to store, and the rule's events will report it.
    if (!mayHelp(error, job)) return { done: true };
    const retryInMs = error.retryAfterMs ?? MINUTE_MS;
    if (error.isLimit) await blockConnection(workspace.id, retryInMs);
    return { retryInMs, rest: { ...job, cursor } };
  }
}

/** Whether to try again: for a day also when Notion returns a list in an unknown shape. */
const mayHelp = ({ isTransient, isUnreadable }: NotionError, { since }: BaselineJob) =>
  isTransient || (isUnreadable && Date.now() - Date.parse(since) < DAY_MS);

const listBatch = (token: string, databaseId: string, cursor?: string) =>
  databaseId === OUTSIDE ? listSharedPages(token, cursor) : listPages(token, databaseId, cursor);

async function captureBatch(
  tx: Transaction,
  tracked: NewlyTracked,
  { pages, askedAt }: Pick<FirstBatch, 'pages' | 'askedAt'>,
): Promise<void> {
  // In the order in which turns lock the pages that they save together.
  for (const page of pages.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    // Only once it is stored can a page be locked.
    while (!(await capturePage(tx, tracked, page, askedAt)));
  }
}

/** Returns false if the page's first snapshot was saved by somebody else meanwhile. */
async function capturePage(
  tx: Transaction,
  { workspaceId, propertyIds }: NewlyTracked,
  page: Page,
  askedAt: Date,
): Promise<boolean> {
  const { id, databaseId } = page;
  const before = await lockSnapshot(tx, workspaceId, id, askedAt);
  // Its values are left to a process that has their key.
  if (before?.isLocked) return true;
  const read = toSnapshot(page, propertyIds);
  // What was saved since Notion was asked may be newer than what it answered, and may have been told.
  const after = before?.isRecent ? { ...read, ...before.values } : { ...before?.values, ...read };
  const stored = { id, databaseId: databaseId ?? OUTSIDE, isFirst: before === null };
  return replaceSnapshot(tx, workspaceId, stored, after);
}
