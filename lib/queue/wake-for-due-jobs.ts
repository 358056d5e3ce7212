import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerEvents, WorkerPool } from 'graphile-worker';
import { SECOND_MS } from '../time';
import { countDueJobs } from './private-tables';

const LOOK_EVERY_MS = SECOND_MS;

/**
 * Wakes the workers of this process for jobs that are due without having been announced: those whose time has come, and
 * those whose announcement was lost. One look of the process takes the place of a look of each worker. The events are
 * those of a queue that has not started yet; stop this before the queue.
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
      // While the database is away nothing can be found; the next look is soon.
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
