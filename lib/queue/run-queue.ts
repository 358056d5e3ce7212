import { EventEmitter } from 'node:events';
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { z } from 'zod';
import { databasePool, db, inBackground } from '../db/database';
import { requireSessions } from '../db/require-sessions';
import { flightsLanded } from '../db/single-flight';
import { env } from '../env';
import { log } from '../log';
import { MINUTE_MS } from '../time';
import { enqueue } from './enqueue';
import { FairJobs } from './fair-jobs';
import { wakeForDueJobs } from './wake-for-due-jobs';
import { holdWorkerLock } from './worker-lock';

/** How a job ended, when it did not throw: done, or to be run again in a while. */
export type JobOutcome = { done: true } | { retryInMs: number };

export interface JobDefinition<T = unknown> {
  schema: z.ZodType<T>;
  /** Jobs of one queue run one after the other; the key makes waiting jobs one. */
  key: (payload: T) => string;
  /** The queue, where it is not the key. */
  queue?: (payload: T) => string | null;
  handler: (payload: T) => Promise<JobOutcome>;
}

const CONCURRENCY = 10;

// A notification announces every new job, and `wakeForDueJobs` finds those whose time has come; nothing is left for the
// polling of each worker.
const POLL_INTERVAL_MS = MINUTE_MS;

const logger = new Logger(({ jobId, taskIdentifier }) => (level, message, meta) => {
  if (level === 'debug' || level === 'info') return;
  log[level === 'error' ? 'error' : 'warn']({ jobId, taskIdentifier, err: meta?.['error'] }, message);
});

/**
 * Works jobs in this process until stopped. `stop` lets running jobs finish; `lockKey` is what it leases turns by.
 * The crontab says which jobs are made at which minutes, once for all workers together. `onGivenUp` is called when the
 * others have taken over what it held, because it did not move for too long. Throws PooledByTransaction.
 */
export async function runQueue(
  jobs: Record<string, JobDefinition>,
  crontab: string,
  onGivenUp: () => void,
): Promise<{ lockKey: number; stop(): Promise<void> }> {
  await requireSessions(env().DATABASE_SESSION_URL);
  const taskList: TaskList = Object.fromEntries(
    Object.entries(jobs).map(([name, job]) => [
      name,
      (payload: unknown) => inBackground(() => work(name, job, payload)),
    ]),
  );
  const workerIds: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:create', ({ worker }) => workerIds.push(worker.workerId));
  const fair = new FairJobs(CONCURRENCY, events);
  const alarm = wakeForDueJobs(events, CONCURRENCY);
  const runner = await run({
    pgPool: databasePool(),
    taskList,
    crontab,
    concurrency: CONCURRENCY,
    forbiddenFlags: () => fair.forbidden(),
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    logger,
    events,
  });
  const workerLock = await holdWorkerLock(workerIds, onGivenUp);
  return {
    lockKey: workerLock.key,
    async stop() {
      await alarm.stop();
      await runner.stop();
      await flightsLanded();
      await workerLock.release();
    },
  };
}

async function work(name: string, job: JobDefinition, rawPayload: unknown): Promise<void> {
  const payload = job.schema.parse(rawPayload);
  const outcome = await job.handler(payload);
  if ('done' in outcome) return;
  const key = job.key(payload);
  await enqueue(db(), {
    name,
    payload: rawPayload as Record<string, unknown>,
    key,
    queue: job.queue ? job.queue(payload) : key,
    inMs: outcome.retryInMs,
  });
}
