import { z } from 'zod';
import { db } from '@/lib/db/database';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { log } from '@/lib/log';
import { metrics, showFromStart } from '@/lib/metrics';
import { readDatabaseClock } from '@/lib/queue/database-clock';
import { defineJob } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { HOUR_MS, isRecent, MINUTE_MS, toMinute } from '@/lib/time';
import { whyStopped } from '../billing/posting-permission';
import { blockedForMs, connectionLimit } from '../calls/call-limits';
import { blockConnection } from '../changes/block-connection';
import { refreshKeptDatabase } from '../workspaces/refresh-database';
import {
  compareEdits,
  IS_ABOUT_EVENTS,
  OVERLAP_MS,
  type Pass,
  PassPaused,
  rereadSchema,
  type WatchedDatabase,
} from './compare-edits';
import { finishGathering } from './finish-gathering';

// Notion sends most webhooks within a minute. Edits more recent than this are left to the next pass.
const FRESH_MS = 2 * MINUTE_MS;
const AGAIN_AFTER_MS = 3 * MINUTE_MS;
const SCHEMA_FRESH_MS = HOUR_MS;

// The most passes at a time over all workers, so that other jobs can run too.
const LANES = 4;

showFromStart(metrics.passes, [{ outcome: 'done' }, { outcome: 'failed' }]);

/** One pass at a time for each workspace, and a few at a time in all. */
export const reconcileJob = defineJob({
  name: 'reconcile-workspace',
  payload: z.object({
    workspaceId: z.uuid(),
    /**
     * The pages, by database, that the last pass left out because they had just been edited; absent for a whole pass.
     */
    waited: z.record(z.string(), z.array(z.string())).optional(),
  }),
  key: ({ workspaceId, waited }) => `reconcile:${workspaceId}${waited ? ':again' : ''}`,
  queue: ({ workspaceId }) => `reconcile:${Number.parseInt(workspaceId.slice(-2), 16) % LANES}`,
});

type ReconcileJob = z.infer<typeof reconcileJob.payload>;

/**
 * Compares the watched databases of a workspace with the events that Notion sent, so that a lost event becomes a late
 * one. Returns when to continue if Notion does not answer or this minute's calls are used up. Running it again reports
 * nothing twice.
 */
export async function reconcileWorkspace(job: ReconcileJob): Promise<{ done: true } | { retryInMs: number }> {
  const { workspaceId, waited } = job;
  const workspace = await db().notionWorkspace.findUnique({
    where: { id: workspaceId },
    include: { account: true },
  });
  if (!workspace) return { done: true };
  const now = await readDatabaseClock();
  const pass: Pass = {
    workspace,
    until: toMinute(now.getTime() - FRESH_MS),
    waited: waited ?? {},
    tooFresh: {},
    requests: 0,
    countedSince: performance.now(),
  };
  // Changes during a time when nothing may be posted are not told later.
  if (whyStopped(workspace.account, now)) {
    await db().notionDatabase.updateMany({ where: { workspaceId }, data: { checkpointAt: pass.until } });
    await finishGathering(workspace.accountId);
    return { done: true };
  }
  const blockedMs = await blockedForMs(connectionLimit(workspaceId));
  if (blockedMs > 0) return { retryInMs: blockedMs };
  try {
    for (const database of await listDue(pass, waited)) await reconcileDatabase(pass, database);
    metrics.passes.inc({ outcome: 'done' });
  } catch (error) {
    if (error instanceof PassPaused) return { retryInMs: error.retryInMs };
    if (!(error instanceof NotionError)) throw error;
    metrics.passes.inc({ outcome: 'failed' });
    const waitMs = error.retryAfterMs ?? MINUTE_MS;
    if (error.isLimit) await blockConnection(workspaceId, waitMs);
    if (error.isTransient) return { retryInMs: waitMs };
    log.warn({ err: error, workspaceId }, 'workspace not reconciled');
  }
  await finishGathering(workspace.accountId);
  await lookAgain(pass, job);
  return { done: true };
}

/** The databases to compare, least recently compared first, without those that an earlier run of this pass has done. */
async function listDue({ workspace, until }: Pass, waited?: Record<string, string[]>) {
  const databases = await db().notionDatabase.findMany({
    where: { workspaceId: workspace.id, rules: { some: IS_ABOUT_EVENTS } },
    include: { rules: { where: IS_ABOUT_EVENTS } },
    orderBy: { checkpointAt: { sort: 'asc', nulls: 'first' } },
  });
  const seenBefore = until.getTime() - OVERLAP_MS;
  return databases.filter(({ id, checkpointAt }) =>
    waited ? id in waited : !checkpointAt || checkpointAt.getTime() < seenBefore,
  );
}

async function reconcileDatabase(pass: Pass, listed: WatchedDatabase): Promise<void> {
  const database = await withKnownSchema(pass, listed);
  if (!database.isShared) return;
  try {
    await compareEdits(pass, database);
  } catch (error) {
    if (!(error instanceof NotionError) || error.isTransient || error.isUnauthorized) throw error;
    const { workspaceId, id } = database;
    if (error.isGone) await refreshKeptDatabase({ workspaceId, databaseId: id });
    else log.warn({ err: error, databaseId: id }, 'database not reconciled');
  }
}

async function withKnownSchema(pass: Pass, database: WatchedDatabase): Promise<WatchedDatabase> {
  const isFresh = isRecent(database.schemaCheckedAt, SCHEMA_FRESH_MS);
  return isFresh ? database : rereadSchema(pass, database);
}

/** Enqueues a run for the pages that were left out, at a time when their webhooks should have arrived. */
async function lookAgain(pass: Pass, job: ReconcileJob): Promise<void> {
  if (job.waited || Object.keys(pass.tooFresh).length === 0) return;
  const again = { workspaceId: job.workspaceId, waited: pass.tooFresh };
  const { accountId } = pass.workspace;
  await enqueue(db(), reconcileJob, again, { inMs: AGAIN_AFTER_MS, accountId });
}
