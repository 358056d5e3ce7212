import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { databasePool, db, Prisma, transaction } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { untilBlocked } from '@/lib/testing/while-locked';
import { defineJob, noPayload } from './define-job';
import { enqueue, enqueueAlone, enqueueRowsSql, enqueueSql, enqueueText } from './enqueue';

connectToOwnDatabase();
afterEach(() => db().$executeRaw`select graphile_worker.remove_job(key) from graphile_worker.jobs`);

const tellJob = defineJob({
  name: 'tell',
  payload: z.object({ accountId: z.string(), page: z.string(), about: z.string().optional() }),
  key: ['page', 'about'],
  queue: ['accountId'],
});

const listJobs = () => db().$queryRaw<object[]>`
  select key, queue_name as queue, payload, max_attempts as attempts, flags,
    extract(epoch from run_at - now())::float8 > 60 as "isLater"
  from graphile_worker._private_jobs left join graphile_worker._private_job_queues q on q.id = job_queue_id
  order by key`;

const told = { accountId: 'a', page: 'p' };
const ROW = {
  key: 'tell:p',
  queue: 'tell:a',
  payload: told,
  attempts: 200,
  flags: { 'account:a': true },
  isLater: false,
};

test('a statement makes the same job of columns as a call does of a payload', async () => {
  await enqueue(db(), tellJob, told);
  expect(await listJobs()).toEqual([ROW]);
  await db().$executeRaw`select graphile_worker.remove_job('tell:p')`;
  await db().$executeRaw(
    enqueueRowsSql(tellJob, {
      payload: { accountId: Prisma.sql`whose`, page: Prisma.sql`id`, about: Prisma.sql`about` },
      from: Prisma.sql`(values ('a', 'p', null), ('a', 'p', 'q')) as page(whose, id, about)`,
    }),
  );
  const about = { ...ROW, key: 'tell:p:q', payload: { ...told, about: 'q' } };
  expect(await listJobs()).toEqual([ROW, about]);
});

test('a script makes the same job as a statement does, once', async () => {
  for (const queue of [undefined, null]) {
    const job = defineJob({ name: 'look', payload: noPayload, key: [], queue });
    await enqueueAlone(job);
    const [made] = await listJobs();
    expect(made).toMatchObject({ key: 'look', queue: queue === null ? null : 'look', attempts: 200 });
    await db().$executeRaw`select graphile_worker.remove_job('look')`;
    for (let times = 0; times < 2; times += 1) await databasePool().query(enqueueText(job));
    const flags = expect.toSatisfy((value) => value === null || Object.keys(value).length === 0);
    expect(await listJobs()).toEqual([{ ...made, flags }]);
    await db().$executeRaw`select graphile_worker.remove_job('look')`;
  }
});

test('jobs of one key in one statement are one job, and none is added where the condition does not hold', async () => {
  const items = ['p', 'p', 'left out'].map((page) => ({ payload: { accountId: 'a', page } }));
  await db().$executeRaw(enqueueSql(tellJob, items, { where: Prisma.sql`payload ->> 'page' <> 'left out'` }));
  expect(await listJobs()).toEqual([ROW]);
  await db().$executeRaw(enqueueSql(tellJob, []));
  expect(await listJobs()).toEqual([ROW]);
});

test('a waiting job is moved by a time, and stays due when it was for what is gathered', async () => {
  const isLater = async () => (await listJobs()).map((job) => 'isLater' in job && job.isLater);
  await enqueue(db(), tellJob, told, { debounceMs: 3_600_000 });
  await enqueue(db(), tellJob, told);
  expect(await isLater()).toEqual([true]);
  await enqueue(db(), tellJob, told, { debounceMs: 1 });
  expect(await isLater()).toEqual([true]);
  await enqueue(db(), tellJob, told, { inMs: 1 });
  expect(await isLater()).toEqual([false]);
});

test('a job that is added while a worker takes a waiting one with its key runs after that', async () => {
  await enqueue(db(), tellJob, told);
  let added: Promise<void> | undefined;
  await transaction(async (tx) => {
    await tx.$executeRaw`
      update graphile_worker._private_jobs set attempts = 1, locked_by = 'w', locked_at = now() where key = 'tell:p'`;
    added = enqueue(db(), tellJob, told);
    await untilBlocked(1);
  });
  await added;
  expect(await listJobs()).toEqual([ROW, { ...ROW, key: null }]);
});

test('what the declaration does not say does not compile', () => {
  const asWritten = () => [
    // @ts-expect-error There is no such field.
    defineJob({ name: 'tell', payload: tellJob.payload, key: ['pages'] }),
    // @ts-expect-error The page is missing.
    enqueue(db(), tellJob, { accountId: 'a' }),
    // @ts-expect-error A page is a text.
    enqueueSql(tellJob, [{ payload: { accountId: 'a', page: 1 } }]),
    // @ts-expect-error The page is missing.
    enqueueRowsSql(tellJob, { payload: { accountId: Prisma.sql`a` }, from: Prisma.sql`b` }),
    // @ts-expect-error The name of a job is no job.
    enqueue(db(), 'tell', told),
  ];
  expect(asWritten).toBeTypeOf('function');
});
