import { escapeLiteral } from 'pg';
import { Prisma, runStatement, type Transaction } from '../db/database';
import { type Job, keyOf, MAX_ATTEMPTS, type NamedJob, queueOf } from './define-job';
import { accountFlagsSql } from './fair-jobs';

interface Times {
  /** In how many milliseconds to run; absent means now, or when a waiting job with this key was due. */
  inMs?: number;
  /** Like `inMs`, but a waiting job with this key keeps its time, so it collects what happens until then. */
  debounceMs?: number;
}

/**
 * The account that a job belongs to, whose deletion removes it: the payload's `accountId`, unless another is given.
 * Null where a job has to outlive every account. A job without a payload belongs to nobody.
 */
type Owner<P, Id> = P extends { accountId: string } | Record<string, never>
  ? { accountId?: Id | undefined }
  : { accountId: Id | null };

/** One job to be added. */
export type Item<P> = { payload: P } & Owner<P, string>;

type Options<P> = Times & Owner<P, string>;

/**
 * Adds a job in the caller's transaction: it exists if and only if the transaction commits. Without `inMs`, a waiting
 * job with the same key is neither delayed nor brought forward.
 */
export async function enqueue<P>(
  tx: Transaction,
  job: Job<P>,
  payload: NoInfer<P>,
  ...[options]: object extends Options<NoInfer<P>> ? [Options<NoInfer<P>>?] : [Options<NoInfer<P>>]
): Promise<void> {
  const { accountId, ...times } = (options ?? {}) as Options<P>;
  await tx.$executeRaw(enqueueSql(job, [{ payload, accountId } as Item<P>], times));
}

/** Adds a job without a payload in its own statement, which works without loading Prisma's client. */
export async function enqueueAlone(job: Job<Record<string, never>>): Promise<void> {
  await runStatement(enqueueSql(job, [{ payload: {} }]));
}

/**
 * The text of a statement that adds a job without a payload, due now: for scripts, which pass no values and may meet
 * the tables of an earlier version.
 */
export function enqueueText(job: Job<Record<string, never>>): string {
  const queue = queueOf(job, {});
  return `select graphile_worker.add_job(${escapeLiteral(job.name)}, '{}'::json,
    queue_name => ${queue === null ? 'null' : escapeLiteral(queue)}, max_attempts => ${MAX_ATTEMPTS},
    job_key => ${escapeLiteral(keyOf(job, {}))})`;
}

/**
 * The statement that adds several jobs of a kind. `where` is a condition on `payload` for the jobs to add. Returns a
 * row for each job added.
 */
export function enqueueSql<P>(
  job: Job<P>,
  items: Item<NoInfer<P>>[],
  { where = Prisma.sql`true`, ...times }: Times & { where?: Prisma.Sql } = {},
): Prisma.Sql {
  const payloads = items.map(({ payload }) => payload);
  const rows = Prisma.sql`
    select payload, key, queue, account_id from (
      select payload::json as payload, key, queue, account_id from unnest(
        ${payloads.map((payload) => JSON.stringify(payload))}::text[],
        ${payloads.map((payload) => keyOf(job, payload))}::text[],
        ${payloads.map((payload) => queueOf(job, payload))}::text[],
        ${items.map(({ accountId }) => accountId ?? null)}::text[]) as item(payload, key, queue, account_id)
    ) item where ${where}`;
  return addRowsSql(job, rows, times);
}

/** A time as payloads have it: in ISO 8601, as `Date.toISOString` writes it. `at` is a column. */
export const isoSql = (at: string): Prisma.Sql =>
  Prisma.raw(`to_char(${at} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** For each field of the payload, a column of the rows in `from`, as SQL. */
type JobRows<P> = Times & {
  payload: { [Field in keyof P]: Prisma.Sql };
  from: Prisma.Sql;
} & Owner<P, Prisma.Sql>;

/** The statement that adds a job for each row. Returns a row for each job added. */
export function enqueueRowsSql<P>(
  job: NamedJob<P>,
  { payload, accountId, from, ...times }: JobRows<NoInfer<P>>,
): Prisma.Sql {
  const fields = Object.entries<Prisma.Sql>(payload).map(
    ([field, column]) => Prisma.sql`${field}::text, ${column}`,
  );
  const key = joinedSql(job, job.key);
  const queue = job.queue === undefined ? key : job.queue && joinedSql(job, job.queue);
  const rows = Prisma.sql`
    select payload, ${key} as key, ${queue}::text as queue, account_id from (
      select json_strip_nulls(json_build_object(${Prisma.join(fields)})) as payload, (${accountId ?? Prisma.sql`null`})::text as account_id
      from ${from}
    ) item`;
  return addRowsSql(job, rows, times);
}

function joinedSql<P>({ name }: NamedJob<P>, fields: readonly string[]): Prisma.Sql {
  const parts = [Prisma.sql`${name}::text`, ...fields.map((field) => Prisma.sql`payload ->> ${field}::text`)];
  return Prisma.sql`concat_ws(':', ${Prisma.join(parts)})`;
}

// Sorted by key, so that two statements with the same keys cannot deadlock. `add_jobs` adds nothing for a waiting job
// that a worker takes in the same moment, although its work may miss what this transaction writes. By then it has locked
// that job, so a second call finds it running and adds another.
function addRowsSql<P>({ name }: Job<P>, rows: Prisma.Sql, { inMs, debounceMs }: Times): Prisma.Sql {
  const waitMs = inMs ?? debounceMs ?? null;
  const keepsTime = inMs === undefined;
  return Prisma.sql`
    select id from (
      with new as materialized (
        select array_agg(row(${name}::text, payload, queue, now() + ${waitMs}::float8 * interval '1 millisecond',
          ${MAX_ATTEMPTS}::smallint, key, null, ${accountFlagsSql})::graphile_worker.job_spec) as jobs
        from (select distinct on (key) * from (${rows}) given order by key) job
      ), added as materialized (
        select job.id, job.key from new cross join lateral graphile_worker.add_jobs(new.jobs, ${keepsTime}::boolean) job
        where new.jobs is not null
      ), missed as materialized (
        select array_agg(spec order by job_key) as jobs from new cross join lateral unnest(new.jobs) spec
        where job_key not in (select key from added)
      )
      select id from added
      union all
      select job.id from missed cross join lateral graphile_worker.add_jobs(missed.jobs, ${keepsTime}::boolean) job
      where missed.jobs is not null
    ) jobs`;
}
