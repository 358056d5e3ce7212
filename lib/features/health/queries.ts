import { Prisma, runStatement } from '@/lib/db/database';
import { log } from '@/lib/log';
import { IS_WORKING } from '@/lib/queue/worker-lock';
import { SECOND_MS } from '@/lib/time';
import { askDatabase, requireWritable } from './ask-database';
import { sharedFor } from './shared-for';

interface QueueState {
  /** Jobs that could run now but have not been taken. */
  due: number;
  /** Jobs that have failed at least once and will be tried again. */
  failing: number;
  /** Age of the oldest due job, in seconds. */
  oldestDueSeconds: number;
  workers: number;
}

export interface Health {
  /** `degraded` while the database answers but no worker is alive: due work waits. */
  status: 'ok' | 'degraded' | 'failing';
  database: 'ok' | 'failing';
  worker: 'running' | 'none';
  queue: { due: number; failing: number; oldestDueSeconds: number } | null;
}

const KEPT_MS = 2 * SECOND_MS;

/**
 * Whether the database answers and can be written, whether a worker is alive, and how many jobs wait. Simultaneous
 * calls, and calls within the next two seconds, share one answer of the database; none within five seconds counts as
 * failing.
 */
export const getHealth = sharedFor(KEPT_MS, readHealth);

async function readHealth(): Promise<Health> {
  try {
    await requireWritable();
    const [state] = await askDatabase(
      runStatement<QueueState>(Prisma.sql`
      select count(*) filter (where run_at <= now() and locked_at is null and attempts < max_attempts)::int as due,
        count(*) filter (where attempts > 0 and locked_at is null and attempts < max_attempts)::int as failing,
        coalesce(extract(epoch from now() - min(run_at) filter (
          where run_at <= now() and locked_at is null and attempts < max_attempts)), 0)::int as "oldestDueSeconds",
        (select count(*) from worker_process where ${IS_WORKING})::int as workers
      from graphile_worker.jobs`),
    );
    if (!state) throw new Error('no queue state');
    const { workers, ...queue } = state;
    const isWorking = workers > 0;
    return {
      status: isWorking ? 'ok' : 'degraded',
      database: 'ok',
      worker: isWorking ? 'running' : 'none',
      queue,
    };
  } catch (error) {
    log.error({ err: error }, 'health check failed');
    return { status: 'failing', database: 'failing', worker: 'none', queue: null };
  }
}
