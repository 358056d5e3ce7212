import { databasePool, pagePool, runStatement, statementPools } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { log } from '@/lib/log';
import { metrics, renderMetrics } from '@/lib/metrics';
import { SECOND_MS } from '@/lib/time';
import { askDatabase, requireWritable } from './ask-database';
import { type BACKLOG_ROW, backlogSql } from './backlog-sql';
import { sharedFor } from './shared-for';

const KEPT_MS = 10 * SECOND_MS;

const lookAtBacklog = sharedFor(KEPT_MS, readBacklog);

/**
 * The metrics of this process and of what waits in the database, as Prometheus reads them. Calls within ten seconds
 * share one query of the database; if it does not answer, its figures are left out.
 */
export async function readMetrics(): Promise<string> {
  await lookAtBacklog();
  countConnections();
  return renderMetrics();
}

async function readBacklog(): Promise<void> {
  const { databaseUp, oldestPage, oldestMessage, oldestJob, dueJobs, workers, invalidAnswers } = metrics;
  try {
    await requireWritable();
    const [backlog] = await askDatabase(runStatement<RowOf<typeof BACKLOG_ROW>>(backlogSql));
    if (!backlog) throw new Error('no backlog');
    oldestPage.set(Math.max(0, backlog.oldestPageSeconds ?? 0));
    oldestMessage.set(Math.max(0, backlog.oldestMessageSeconds ?? 0));
    oldestJob.set(backlog.oldestJobSeconds ?? 0);
    dueJobs.set(backlog.dueJobs);
    workers.set(backlog.workers);
    invalidAnswers.set(backlog.invalidAnswers);
    databaseUp.set(1);
  } catch (error) {
    log.error({ err: error }, 'backlog not read');
    for (const gauge of [oldestPage, oldestMessage, oldestJob, dueJobs, workers, invalidAnswers])
      gauge.remove();
    databaseUp.set(0);
  }
}

function countConnections(): void {
  const pools = { pages: [pagePool()], doors: statementPools(), jobs: [databasePool()] };
  for (const [pool, members] of Object.entries(pools)) {
    const sum = (of: 'idleCount' | 'totalCount' | 'waitingCount') =>
      members.reduce((total, each) => total + each[of], 0);
    metrics.connections.set({ pool, state: 'busy' }, sum('totalCount') - sum('idleCount'));
    metrics.connections.set({ pool, state: 'idle' }, sum('idleCount'));
    metrics.connections.set({ pool, state: 'awaited' }, sum('waitingCount'));
  }
}
