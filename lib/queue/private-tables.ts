import type { Job as GraphileJob } from 'graphile-worker';
import { databasePool, db, Prisma, type Transaction } from '../db/database';
import { accountFlag } from './fair-jobs';
import { tableTimes } from './table-times';

/**
 * The only file that uses graphile-worker's private tables. Their author may change them with any version; these are
 * the columns of 0.17.3. The view `jobs` and the functions next to it are public.
 */
export const WRITTEN_FOR = '0.17.3';

/** Where the queue keeps its jobs. */
export const JOBS_TABLE = 'graphile_worker._private_jobs';

const COLUMNS: Record<string, string[]> = {
  _private_jobs: [
    'id',
    'job_queue_id',
    'task_id',
    'payload',
    'run_at',
    'priority',
    'attempts',
    'max_attempts',
    'last_error',
    'key',
    'locked_at',
    'locked_by',
    'flags',
    'is_available',
  ],
  _private_job_queues: ['id', 'locked_at', 'locked_by'],
  _private_tasks: ['id', 'identifier'],
};

/**
 * Checks at a worker's start that the private tables are as this file expects. Throws an Error that says what is
 * missing.
 */
export async function requirePrivateTables(): Promise<void> {
  const used = Object.entries(COLUMNS).flatMap(([table, columns]) =>
    columns.map((column) => ({ table, column })),
  );
  const missing = await db().$queryRaw<{ name: string }[]>`
    select concat_ws('.', used.table_name, used.name) as name
    from unnest(${used.map(({ table }) => table)}::text[], ${used.map(({ column }) => column)}::text[])
      as used (table_name, name)
    where not exists (
      select 1 from pg_attribute
      where attrelid = to_regclass('graphile_worker.' || used.table_name) and attname = used.name)`;
  if (missing.length > 0) {
    throw new Error(
      `graphile-worker has no ${missing.map(({ name }) => name).join(', ')}: lib/queue/private-tables.ts was written for ${WRITTEN_FOR}`,
    );
  }
}

/**
 * Times of jobs move with the database's clock, even of running jobs: after a failure graphile-worker counts the wait
 * from the later of now and `run_at`. Its `reschedule_jobs` skips running jobs. The crontab follows the clocks of the
 * workers' hosts.
 */
export const PRIVATE_TIMES = [
  tableTimes('graphile_worker._private_jobs', {
    moves: ['run_at'],
    stays: ['created_at', 'updated_at', 'locked_at'],
  }),
  tableTimes('graphile_worker._private_job_queues', { stays: ['locked_at'] }),
  tableTimes('graphile_worker._private_known_crontabs', { stays: ['known_since', 'last_execution'] }),
  tableTimes('graphile_worker.migrations', { stays: ['ts'] }),
];

// The view `jobs` shows neither who holds a queue nor which jobs are available.

/** Longer than a process may take from its first job to its row in `worker_process`, and to hear of a job. */
const LONG_AGO = Prisma.sql`now() - interval '5 seconds'`;

/** Workers that have held a job or a queue for longer. */
export const LONG_LOCKED = Prisma.sql`
  select locked_by from graphile_worker._private_jobs where locked_at < ${LONG_AGO}
  union
  select locked_by from graphile_worker._private_job_queues where locked_at < ${LONG_AGO}`;

/** The ids with which a process locks jobs, and which jobs it is running. */
export interface OwnJobs {
  poolIds: string[];
  running: () => string[];
}

/** The jobs that were given to a process seconds ago and that it is not running. */
export const lostJobsSql = ({ poolIds, running }: OwnJobs) => Prisma.sql`
  select id from graphile_worker._private_jobs
  where locked_by = any(${poolIds}::text[]) and locked_at < ${LONG_AGO}
    and id <> all(${running()}::bigint[])`;

/** Frees lost jobs. `force_unlock_workers` would also free everything that the process is running. */
export async function freeLostJobs(own: OwnJobs): Promise<void> {
  await db().$executeRaw`
    update graphile_worker._private_jobs set locked_by = null, locked_at = null, run_at = greatest(run_at, now())
    where id in (${lostJobsSql(own)})`;
}

/**
 * Jobs that have ended after their key was enqueued again while they ran. They lost their key and are never tried
 * again: the newer job does their work. If their worker dies, only the row is left.
 */
export const REPLACED_JOBS = Prisma.sql`
  select id from graphile_worker._private_jobs
  where key is null and attempts >= max_attempts and locked_at is null`;

const IS_IDLE = Prisma.sql`(
  q.locked_at < ${LONG_AGO} and not exists (
    select 1 from graphile_worker._private_jobs j where j.job_queue_id = q.id and j.locked_at is not null))`;

/** Queues that were taken seconds ago and have no running job. */
export const IDLE_QUEUES = Prisma.sql`
  select 1 from graphile_worker._private_job_queues q where ${IS_IDLE}`;

/**
 * Frees idle queues. A process that was given up may finish a job late, while another is working it: then the job's row
 * is deleted, and ending it the second time frees no queue. `force_unlock_workers` would also free everything else that
 * the worker holds.
 */
export async function freeIdleQueues(): Promise<void> {
  await db().$executeRaw`
    update graphile_worker._private_job_queues q set locked_by = null, locked_at = null where ${IS_IDLE}`;
}

/**
 * Deletes the queues without a job. A job does not lock the row of its queue, so the lock waits for the transactions
 * that are adding jobs, and holds up others: a job whose queue is deleted meanwhile would never run, and
 * graphile-worker's `cleanup` takes no lock. Throws a lock timeout when transactions take longer than that.
 */
export async function deleteEmptyQueues(): Promise<void> {
  // Several statements in one call are one transaction.
  await databasePool().query(`
    set local lock_timeout = '200ms';
    lock table graphile_worker._private_job_queues in share row exclusive mode;
    delete from graphile_worker._private_job_queues q where locked_at is null and not exists (
      select 1 from graphile_worker._private_jobs j where j.job_queue_id = q.id)`);
}

/** Takes jobs out of queues that are gone. Earlier versions deleted queues without waiting for new jobs. */
export async function freeJobsOfGoneQueues(): Promise<void> {
  await db().$executeRaw`
    update graphile_worker._private_jobs j set job_queue_id = null
    where job_queue_id is not null and locked_at is null and not exists (
      select 1 from graphile_worker._private_job_queues q where q.id = j.job_queue_id)`;
}

/** How many jobs could run now, at most 10,000, and for how many seconds the first of them has been due. */
export const dueJobsSql = Prisma.sql`
  select (
    select count(*)::int from (
      select 1 from graphile_worker._private_jobs where is_available and run_at <= now() limit 10000) due
  ) as "dueJobs", (
    select extract(epoch from now() - run_at)::float8 from graphile_worker._private_jobs
    where is_available and run_at <= now() order by priority, run_at limit 1
  ) as "oldestJobSeconds"`;

/** How many jobs could run now, up to a limit. */
export async function countDueJobs(limit: number): Promise<number> {
  const { rows } = await databasePool().query<{ due: number }>({
    name: 'count-due-jobs',
    text: `select count(*)::int as due from (
      select 1 from graphile_worker._private_jobs where is_available and run_at <= now() limit $1) due`,
    values: [limit],
  });
  return rows[0]?.due ?? 0;
}

export interface JobPayload {
  id: bigint;
  payload: Record<string, string>;
}

/** The waiting jobs of a kind whose payload has a field. The view `jobs` omits payloads. */
export const payloadsSql = (name: string, field: string) => Prisma.sql`
  select j.id, j.payload from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = ${name} and j.payload ->> ${field} is not null`;

export const listPayloads = (name: string, field: string): Promise<JobPayload[]> =>
  db().$queryRaw(payloadsSql(name, field));

/**
 * Replaces a field of a job's payload, unless the job runs or has changed. Returns how many jobs it changed. `add_job`
 * would replace the whole job, with its attempts.
 */
export function replaceField({ id, payload }: JobPayload, field: string, value: string): Promise<number> {
  return db().$executeRaw`
    update graphile_worker._private_jobs
    set payload = jsonb_set(payload::jsonb, array[${field}], to_jsonb(${value}::text))::json
    where id = ${id} and locked_at is null and payload ->> ${field} = ${payload[field]}`;
}

/**
 * Deletes the jobs of an account, and those whose key contains one of these ids. Running jobs lose their contents at
 * once and their row when they end; `remove_job` would keep the contents until then.
 */
export async function forgetJobsOf(tx: Transaction, accountId: string, ids: string[]): Promise<void> {
  const patterns = [accountId, ...ids].map((id) => `%${id}%`);
  await tx.$executeRaw`
    with job as (
      select id, locked_at from graphile_worker._private_jobs
      where flags ? ${accountFlag(accountId)} or key like any(${patterns}::text[]) for update
    ), waiting as (
      delete from graphile_worker._private_jobs where id in (select id from job where locked_at is null)
    )
    update graphile_worker._private_jobs set key = null, payload = '{}', flags = null, last_error = null,
      attempts = max_attempts
    where id in (select id from job where locked_at is not null)`;
}

/**
 * The condition that a running job, by its id, is still wanted: it was not deleted, and no job with its key was added
 * meanwhile. It stays true until the statement ends.
 */
export const isWantedSql = (id: string) => Prisma.sql`(
  select key is not null from graphile_worker._private_jobs where id = ${id}::bigint for update)`;

/**
 * Whether a worker still has the job that it runs. Once others have taken the job over, its row may be theirs, or that
 * of a newer job with its key, and ending the job would delete the row.
 */
export async function isStillHeld({
  id,
  locked_by,
}: Pick<GraphileJob, 'id' | 'locked_by'>): Promise<boolean> {
  const { rowCount } = await databasePool().query({
    name: 'is-still-held',
    text: 'select 1 from graphile_worker._private_jobs where id = $1 and locked_by = $2',
    values: [id, locked_by],
  });
  return rowCount === 1;
}
