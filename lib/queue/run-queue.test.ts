import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { databasePool, db } from '@/lib/db/database';
import { log } from '@/lib/log';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { HOUR_MS } from '@/lib/time';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';
import { handle, runQueue } from './run-queue';

connectToOwnDatabase();

const aJob = defineJob({
  name: 'a-job',
  payload: z.object({ name: z.string() }),
  key: ['name'],
  queue: null,
});
const NO_TABLES = { times: [], turns: {} };

test('a job that takes long is not started again while its process lives', async () => {
  const begun: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = handle(aJob, async ({ name }) => {
    begun.push(name);
    if (name === 'long') await finished;
  });
  const queue = await runQueue({ jobs: [work], crontab: [], tables: NO_TABLES }, () => {});
  await enqueue(db(), aJob, { name: 'long' }, { accountId: null });
  await expect.poll(() => begun).toEqual(['long']);

  // Begun long ago, like the job of a process that nobody knows, which is taken over.
  await enqueue(db(), aJob, { name: 'lost' }, { inMs: 1000, accountId: null });
  await db().$executeRaw`
    update graphile_worker._private_jobs set locked_at = now() - interval '10 seconds',
      locked_by = coalesce(locked_by, 'unknown')`;
  await expect.poll(() => begun).toContain('lost');
  finish();
  const left = () => db().$queryRaw`select id from graphile_worker.jobs`;
  await expect.poll(left).toEqual([]);
  expect(begun).toEqual(['long', 'lost']);
  await queue.stop();
});

test('a job that is added once others have taken it over stays when its first worker ends', async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = handle(aJob, async () => finished);
  const queue = await runQueue({ jobs: [work], crontab: [], tables: NO_TABLES }, () => {});
  await enqueue(db(), aJob, { name: 'slow' }, { accountId: null });
  const taken = () => db().$queryRaw`select 1 from graphile_worker.jobs where locked_by is not null`;
  await expect.poll(taken).toHaveLength(1);
  await db().$executeRaw`
    update graphile_worker._private_jobs set locked_by = null, locked_at = null, run_at = now() + interval '1 hour'`;
  await enqueue(db(), aJob, { name: 'slow' }, { inMs: HOUR_MS, accountId: null });
  finish();
  await queue.stop();
  expect(await db().$queryRaw`select key from graphile_worker.jobs`).toEqual([{ key: 'a-job:slow' }]);
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
});

test('a queue that cannot start leaves nothing running', async () => {
  await db().$executeRaw`alter table worker_process rename to worker_process_away`;
  const starting = runQueue({ jobs: [], crontab: [], tables: NO_TABLES }, () => {});
  await expect(starting).rejects.toThrow();
  await db().$executeRaw`alter table worker_process_away rename to worker_process`;
  // Nobody listens for new jobs any more.
  const { rows } = await databasePool().query(
    `select query from pg_stat_activity where datname = current_database() and query ilike 'listen %'`,
  );
  expect(rows).toEqual([]);
});

test('neither the log nor the queue has what the error of a job quotes', async () => {
  const work = handle(aJob, async () => {
    throw Object.assign(new TypeError('body.title should be short, instead was `"The secret plan"`.'), {
      code: 'bad',
    });
  });
  const logged = vi.spyOn(log, 'error');
  const queue = await runQueue({ jobs: [work], crontab: [], tables: NO_TABLES }, () => {});
  await enqueue(db(), aJob, { name: 'failing' }, { accountId: null });
  const failed = () => db().$queryRaw<{ last_error: string }[]>`select last_error from graphile_worker.jobs`;
  await expect.poll(failed).toEqual([{ last_error: expect.stringContaining('instead was …') }]);
  expect(JSON.stringify([await failed(), logged.mock.calls])).not.toContain('secret plan');
  expect(logged.mock.calls).toMatchObject([
    [{ err: { name: 'TypeError', code: 'bad' } }, expect.stringMatching(/^Failed task/)],
  ]);
  await queue.stop();
});
