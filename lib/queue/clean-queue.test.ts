import { expect, test } from 'vitest';
import { z } from 'zod';
import { db } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { cleanQueue } from './clean-queue';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';

connectToOwnDatabase();

test('a queue is forgotten once it has no job, and the connections stay usable', async () => {
  const job = defineJob({ name: 'a-job', payload: z.object({ about: z.string() }), key: ['about'] });
  for (const about of ['over', 'waiting']) await enqueue(db(), job, { about }, { accountId: null });
  await db().$executeRaw`delete from graphile_worker._private_jobs where key = 'a-job:over'`;
  await cleanQueue();
  const queues = await db().$queryRaw`select queue_name from graphile_worker._private_job_queues`;
  expect(queues).toEqual([{ queue_name: 'a-job:waiting' }]);
});
