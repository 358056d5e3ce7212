import { makeWorkerUtils } from 'graphile-worker';
import { databasePool } from '../db/database';
import { defineJob, noPayload } from './define-job';

export const cleanQueueJob = defineJob({ name: 'clean-queue', payload: noPayload, key: [], queue: null });

/** Deletes the queues that have no job: every page and every channel once had one. */
export async function cleanQueue(): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: databasePool() });
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] });
  } finally {
    await utils.release();
  }
}

/** Deletes jobs that were given up a month ago. Until then the failure of each can be investigated. */
export async function forgetFailedJobs(): Promise<void> {
  await databasePool().query(`
    select count(*) from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and run_at < now() - interval '30 days'))`);
}
