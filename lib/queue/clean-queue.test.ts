import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { db, transaction } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { cleanQueue } from './clean-queue';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';

connectToOwnDatabase();

const job = defineJob({ name: 'a-job', payload: z.object({ about: z.string() }), key: ['about'] });

const add = (about: string, tx = db()) => enqueue(tx, job, { about }, { accountId: null });

const end = (about: string) =>
  db().$executeRaw`delete from graphile_worker._private_jobs where key = ${`a-job:${about}`}`;

async function queues(): Promise<string[]> {
  const rows = await db().$queryRaw<{ name: string }[]>`
    select queue_name as name from graphile_worker._private_job_queues order by 1`;
  return rows.map(({ name }) => name);
}

/** The queue of each job. */
const jobs = () => db().$queryRaw<{ key: string; queue: string | null }[]>`
  select j.key, q.queue_name as queue from graphile_worker._private_jobs j
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id`;

beforeEach(async () => {
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await cleanQueue();
});

test('a queue is forgotten once it has no job, and the connections stay usable', async () => {
  for (const about of ['over', 'waiting']) await add(about);
  await end('over');
  expect(await cleanQueue()).toEqual({ done: true });
  expect(await queues()).toEqual(['a-job:waiting']);
});

test('the queue of a job that is just being added stays', async () => {
  await add('again');
  await end('again');
  await transaction(async (tx) => {
    await add('again', tx);
    expect(await cleanQueue()).toHaveProperty('retryInMs');
  });
  expect(await cleanQueue()).toEqual({ done: true });
  expect(await jobs()).toEqual([{ key: 'a-job:again', queue: 'a-job:again' }]);
});

test('a job whose queue is gone belongs to none, so that it runs', async () => {
  await add('stuck');
  await db().$executeRaw`delete from graphile_worker._private_job_queues`;
  await cleanQueue();
  const [left] = await db().$queryRaw<{ queue: number | null }[]>`
    select job_queue_id as queue from graphile_worker._private_jobs`;
  expect(left).toEqual({ queue: null });
});
