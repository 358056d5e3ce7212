import { EventEmitter } from 'node:events';
import type { WorkerEventMap, WorkerEvents } from 'graphile-worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { ACCOUNT_FLAGS, FairJobs } from './fair-jobs';
import { runQueue } from './run-queue';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', database.url);
});
afterAll(async () => {
  const { closeDatabase } = await import('@/lib/db/database');
  await closeDatabase();
  await database.drop();
});

const add = (account: string, count: number) => db().$executeRaw`
  select graphile_worker.add_job('ask', json_build_object('account', ${account}::text),
    flags => ${ACCOUNT_FLAGS}) from generate_series(1, ${count}::int), (select ${account}::text as account_id) owner`;

test('jobs of an account that wait for an answer leave room for those of others', async () => {
  const begun: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const ask = {
    schema: z.object({ account: z.string() }),
    key: () => '',
    handler: async ({ account }: { account: string }) => {
      begun.push(account);
      if (account !== 'quiet') await answered;
      return { done: true } as const;
    },
  };
  const queue = await runQueue({ ask: ask as never }, '', () => {});
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

test('an account that is alone has half of the places', async () => {
  const events: WorkerEvents = new EventEmitter();
  const fair = new FairJobs(10, events);
  const job = { flags: { 'account:a': true } };
  let begun = 0;
  for (; (await fair.forbidden()).length === 0; begun += 1) {
    events.emit('job:start', { job, worker: {} } as unknown as WorkerEventMap['job:start']);
  }
  expect(begun).toBe(5);
});
