import { db } from '@/lib/db/database';
import { log } from '@/lib/log';

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
  status: 'ok' | 'failing';
  database: 'ok' | 'failing';
  worker: 'running' | 'none';
  queue: { due: number; failing: number; oldestDueSeconds: number } | null;
}

/** Whether the database answers, whether anybody works jobs, and how many wait. */
export async function getHealth(): Promise<Health> {
  try {
    const [state] = await db().$queryRaw<QueueState[]>`
      select count(*) filter (where run_at <= now() and locked_at is null and attempts < max_attempts)::int as due,
        count(*) filter (where attempts > 0 and locked_at is null)::int as failing,
        coalesce(extract(epoch from now() - min(run_at) filter (
          where run_at <= now() and locked_at is null and attempts < max_attempts)), 0)::int as "oldestDueSeconds",
        (select count(*) from worker_process)::int as workers
      from graphile_worker.jobs`;
    if (!state) throw new Error('no queue state');
    const { workers, ...queue } = state;
    return { status: 'ok', database: 'ok', worker: workers > 0 ? 'running' : 'none', queue };
  } catch (error) {
    log.error({ err: error }, 'health check failed');
    return { status: 'failing', database: 'failing', worker: 'none', queue: null };
  }
}
