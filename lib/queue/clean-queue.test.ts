import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { closeDatabase, db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { cleanQueue } from './clean-queue';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', database.url);
});
afterAll(async () => {
  await closeDatabase();
  await database.drop();
});

test('a queue is forgotten once it has no job, and the connections stay usable', async () => {
  const job = defineJob({ name: 'a-job', payload: z.object({ about: z.string() }), key: ['about'] });
  for (const about of ['over', 'waiting']) await enqueue(db(), job, { about });
  await db().$executeRaw`delete from graphile_worker._private_jobs where key = 'a-job:over'`;
  await cleanQueue();
  const queues = await db().$queryRaw`select queue_name from graphile_worker._private_job_queues`;
  expect(queues).toEqual([{ queue_name: 'a-job:waiting' }]);
});
