import { EventEmitter } from 'node:events';
import {
  type CronItem,
  Logger,
  parseCronItems,
  run,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { databasePool, db, inBackground } from '../db/database';
import { requireSessions } from '../db/require-sessions';
import { waitForFlights } from '../db/single-flight';
import { env } from '../env';
import { withoutValues } from '../error-report';
import { log } from '../log';
import { withLogIds } from '../log-ids';
import { metrics, showFromStart } from '../metrics';
import { scrubMessage } from '../scrub-text';
import { MINUTE_MS } from '../time';
import { type Job, keyOf, MAX_ATTEMPTS, queueOf } from './define-job';
import { enqueueSql, type Item } from './enqueue';
import { accountOf, FairJobs } from './fair-jobs';
import { isStillHeld, isWantedSql, requirePrivateTables } from './private-tables';
import { RunningJobs } from './running-jobs';
import type { ProductTables } from './table-times';
import { wakeForDueJobs } from './wake-for-due-jobs';
import { holdWorkerLock } from './worker-lock';

/** How a job ended, unless it threw: done, or to be run again later, with `rest` as its payload. */
type JobOutcome<P> = { done: true } | { retryInMs: number; rest?: P };

/** A kind of job with the function that does its work. */
export interface JobHandler {
  name: string;
  work: Task;
}

/** Everything that a worker does. */
export interface QueueWork {
  jobs: JobHandler[];
  crontab: CronItem[];
  tables: ProductTables;
}

/** Names the function that does the work of a job. When it throws, the job is retried at growing intervals. */
export function handle<P>(
  job: Job<P>,
  handler: (payload: P) => Promise<JobOutcome<P>> | Promise<void>,
): JobHandler {
  return {
    name: job.name,
    async work(given, { job: row }) {
      const payload = job.payload.parse(given);
      const ids = { jobId: row.id, job: job.name };
      // The queue stores and logs what a job throws.
      const outcome = await inBackground(() => withLogIds(ids, async () => handler(payload))).catch(
        (error) => {
          throw withoutValues(error);
        },
      );
      // Then its row is no longer this worker's to delete; after an error the queue leaves it alone.
      if (!(await isStillHeld(row))) throw new Error('Other workers have taken the job over.');
      if (!outcome || 'done' in outcome) return;
      // Adds nothing if the job was deleted with its account meanwhile, or a newer job does the work.
      const again = { payload: outcome.rest ?? payload, accountId: accountOf(row.flags) ?? null } as Item<P>;
      const times = { inMs: outcome.retryInMs, where: isWantedSql(row.id) };
      await db().$executeRaw(enqueueSql(job, [again], times));
    },
  };
}

/**
 * A line of the crontab: the minutes, in UTC, at which a job is made, once for all workers together. A run that was
 * missed while no worker ran is made up for if it is not older than `backfillPeriod`, in milliseconds.
 */
export function makeAt(match: string, job: Job<Record<string, never>>, backfillPeriod: number): CronItem {
  const options = {
    backfillPeriod,
    maxAttempts: MAX_ATTEMPTS,
    jobKey: keyOf(job, {}),
    queueName: queueOf(job, {}) ?? undefined,
  };
  return { task: job.name, match, options };
}

const CONCURRENCY = 10;

// A notification announces every new job, and `wakeForDueJobs` finds those whose time has come, so the workers need
// hardly poll.
const POLL_INTERVAL_MS = MINUTE_MS;

const logger = new Logger(({ jobId, taskIdentifier }) => (level, message, meta) => {
  if (level === 'debug' || level === 'info') return;
  const err = meta?.['error'];
  // Its messages quote the whole error, which is logged next to them.
  const said = err ? message.split(/ with error |[:;] /)[0] : message;
  log[level === 'error' ? 'error' : 'warn']({ jobId, taskIdentifier, err }, scrubMessage(said ?? ''));
});

/**
 * Runs jobs and turns in this process until stopped. `stop` lets running jobs finish; `lockKey` identifies this process
 * in leases. `onGivenUp` is called when other processes have taken over its work, because it made no progress for too
 * long. Throws PooledByTransaction.
 */
export async function runQueue(
  { jobs, crontab, tables }: QueueWork,
  onGivenUp: () => void,
): Promise<{ lockKey: number; stop(): Promise<void> }> {
  await requireSessions(env().DATABASE_SESSION_URL);
  await requirePrivateTables();
  const taskList: TaskList = Object.fromEntries(jobs.map(({ name, work }) => [name, work]));
  const poolIds: string[] = [];
  const events: WorkerEvents = new EventEmitter();
  events.on('pool:create', ({ workerPool }) => poolIds.push(workerPool.id));
  const count = (job: string, outcome: string) => metrics.jobs.inc({ job, outcome });
  showFromStart(
    metrics.jobs,
    jobs.map(({ name: job }) => ({ job, outcome: 'given_up' })),
  );
  events.on('job:success', ({ job }) => count(job.task_identifier, 'done'));
  events.on('job:error', ({ job }) => count(job.task_identifier, 'failed'));
  events.on('job:failed', ({ job }) => count(job.task_identifier, 'given_up'));
  const running = new RunningJobs(events);
  const fair = new FairJobs(CONCURRENCY, events);
  const alarm = wakeForDueJobs(events, CONCURRENCY);
  const runner = await run({
    pgPool: databasePool(),
    taskList,
    parsedCronItems: parseCronItems(crontab),
    concurrency: CONCURRENCY,
    forbiddenFlags: () => fair.forbidden(),
    pollInterval: POLL_INTERVAL_MS,
    noHandleSignals: true,
    logger,
    events,
  });
  async function stopJobs(): Promise<void> {
    await alarm.stop();
    await runner.stop();
    await waitForFlights();
  }
  try {
    // Jobs are locked with the id of the pool, not with those of its workers.
    const workerLock = await holdWorkerLock({ poolIds, running: () => running.ids() }, tables, onGivenUp);
    return {
      lockKey: workerLock.key,
      async stop() {
        await stopJobs();
        await workerLock.release();
      },
    };
  } catch (error) {
    // Jobs must not run in a process that no other knows of.
    await stopJobs();
    throw error;
  }
}
