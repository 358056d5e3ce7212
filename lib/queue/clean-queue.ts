import { makeWorkerUtils } from 'graphile-worker';
import { databasePool } from '../db/database';

/** Forgets the queues that have no job; every page and every channel once had one. */
export async function cleanQueue(): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: databasePool() });
  try {
    await utils.cleanup({ tasks: ['GC_JOB_QUEUES'] });
  } finally {
    await utils.release();
  }
}
