import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerEvents, WorkerPool } from 'graphile-worker';
import { SECOND_MS } from '../time';
import { countDueJobs } from './private-tables';

const LOOK_EVERY_MS = SECOND_MS;

/**
 * Wakes this process's workers for jobs that became due without an announcement, because their time has come or the
 * announcement was lost. One look by the process replaces a look by each worker. Call it with the `events` of a queue
 * before that queue starts, and stop it before the queue.
 */
export function wakeForDueJobs(events: WorkerEvents, workers: number): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let pool: WorkerPool | undefined;
  events.on('pool:create', ({ workerPool }) => {
    pool = workerPool;
  });

  async function keepLooking(): Promise<void> {
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal });
      // While the database is away nothing can be found; the next look comes soon.
      const due = await countDueJobs(workers).catch(() => 0);
      if (due > 0 && !stopping.signal.aborted) pool?.nudge(due);
    }
  }

  const ended = keepLooking().catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
