import { databasePool, isLockTimeout } from '../db/database';
import { SECOND_MS } from '../time';
import { defineJob, noPayload } from './define-job';
import { deleteEmptyQueues, freeJobsOfGoneQueues } from './private-tables';

const TRY_AGAIN_MS = 5 * SECOND_MS;

export const cleanQueueJob = defineJob({ name: 'clean-queue', payload: noPayload, key: [], queue: null });

/**
 * Deletes the queues that have no job: every page and every channel once had one. Returns when to try again while long
 * transactions add jobs.
 */
export async function cleanQueue(): Promise<{ done: true } | { retryInMs: number }> {
  await freeJobsOfGoneQueues();
  try {
    await deleteEmptyQueues();
  } catch (error) {
    if (isLockTimeout(error)) return { retryInMs: TRY_AGAIN_MS };
    throw error;
  }
  return { done: true };
}

/** Deletes jobs that were given up a month ago. Until then the failure of each can be investigated. */
export async function forgetFailedJobs(): Promise<void> {
  await databasePool().query(`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and run_at < now() - interval '30 days'))`);
}
