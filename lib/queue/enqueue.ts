import type { Transaction } from '../db/database';
import { Prisma } from '../db/database';

export interface JobRequest {
  name: string;
  payload: Record<string, unknown>;
  /** Waiting jobs with one key are one job. */
  key: string;
  /** Jobs of one queue run one after the other; those without a queue wait for nothing. */
  queue: string | null;
  /** In how many milliseconds to run; absent means now, or when the waiting job of this key was due. */
  inMs?: number;
}

// The queue waits at most six hours between attempts, so this is about seven weeks: what is owed to a third party,
// a token to revoke or a subscription to end, outlasts its longest outage.
const MOST_ATTEMPTS = 200;

/**
 * Adds a job in the caller's transaction: it exists if and only if the transaction commits.
 * A job without `inMs` never delays one that waits, and one that waits is not brought forward.
 */
export async function enqueue(tx: Transaction, job: JobRequest): Promise<void> {
  await tx.$executeRaw(enqueueSql(job));
}

/** The same as one SQL statement, for callers that send several at once. */
function enqueueSql(job: JobRequest): Prisma.Sql {
  return Prisma.sql`select graphile_worker.add_job(
    ${job.name}, ${JSON.stringify(job.payload)}::json,
    queue_name => ${job.queue}, job_key => ${job.key},
    run_at => now() + ${job.inMs ?? null}::float8 * interval '1 millisecond', max_attempts => ${MOST_ATTEMPTS},
    job_key_mode => ${job.inMs === undefined ? 'preserve_run_at' : 'replace'})`;
}
