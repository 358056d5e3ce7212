import { EventEmitter } from 'node:events';
import type { WorkerEventMap, WorkerEvents } from 'graphile-worker';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { db } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { defineJob } from './define-job';
import { enqueueSql } from './enqueue';
import { FairJobs } from './fair-jobs';
import { handle, runQueue } from './run-queue';

connectToOwnDatabase();

const askJob = defineJob({
  name: 'ask',
  payload: z.object({ accountId: z.string(), nr: z.number() }),
  key: ['accountId', 'nr'],
  queue: null,
});

const add = (accountId: string, count: number) =>
  db().$executeRaw(
    enqueueSql(
      askJob,
      Array.from({ length: count }, (_, nr) => ({ payload: { accountId, nr } })),
    ),
  );

test('jobs of an account that wait for an answer leave room for those of others', async () => {
  const begun: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const ask = handle(askJob, async ({ accountId }) => {
    begun.push(accountId);
    if (accountId !== 'quiet') await answered;
  });
  const queue = await runQueue({ jobs: [ask], crontab: [], tables: { times: [], turns: {} } }, () => {});
  try {
    for (const account of ['first', 'second', 'third']) await add(account, 20);
    await expect.poll(() => new Set(begun).size).toBe(3);
    await add('quiet', 1);
    await expect.poll(() => begun.includes('quiet')).toBe(true);
    expect(begun.filter((account) => account !== 'quiet').length).toBeLessThan(10);
    answer();
    await expect.poll(() => begun.length).toBe(61);
  } finally {
    answer();
    await queue.stop();
  }
});

test('an account that is alone has half of the slots', async () => {
  const events: WorkerEvents = new EventEmitter();
  const fair = new FairJobs(10, events);
  const job = { flags: { 'account:a': true } };
  let begun = 0;
  for (; (await fair.forbidden()).length === 0; begun += 1) {
    events.emit('job:start', { job, worker: {} } as unknown as WorkerEventMap['job:start']);
  }
  expect(begun).toBe(5);
});

test('a job that is to be run again in a while is still that of its account', async () => {
  const again = handle(askJob, async () => ({ retryInMs: 3_600_000 }));
  const queue = await runQueue({ jobs: [again], crontab: [], tables: { times: [], turns: {} } }, () => {});
  try {
    await add('patient', 1);
    const flags = () => db().$queryRaw`
      select flags from graphile_worker.jobs where run_at > now() + interval '1 minute'`;
    await expect.poll(flags).toEqual([{ flags: { 'account:patient': true } }]);
  } finally {
    await queue.stop();
  }
});
