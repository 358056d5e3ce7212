import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { databasePool, db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';
import { handle, runQueue } from './run-queue';

const DAY_MS = 86_400_000;
// The queue's own workers look once a minute.
const SOONER = { timeout: 50_000 };
let database: TestDatabase;
let queue: { stop(): Promise<void> };
let done: string[] = [];

const aJob = defineJob({
  name: 'a-job',
  payload: z.object({ name: z.string() }),
  key: ['name'],
  queue: null,
});

const work = handle(aJob, async ({ name }) => {
  done.push(name);
});

beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', database.url);
});
beforeEach(async () => {
  done = [];
  queue = await runQueue({ jobs: [work], crontab: [], tables: { times: [], turns: {} } }, () => {});
});
afterEach(() => queue.stop());
afterAll(async () => {
  const { closeDatabase } = await import('@/lib/db/database');
  await closeDatabase();
  await database.drop();
});

const add = (name: string, inMs?: number) => enqueue(db(), aJob, { name }, { inMs, accountId: null });

test('a job is worked when its time has come, and at once when it is due', async () => {
  await add('later', 2000);
  await add('now');
  await expect.poll(() => done, SOONER).toEqual(['now', 'later']);
});

test('jobs that became due without an announcement are found', async () => {
  for (const name of ['one', 'two', 'three']) await add(name, DAY_MS);
  await db().$executeRaw`update graphile_worker._private_jobs set run_at = now()`;
  await expect.poll(() => done.toSorted(), SOONER).toEqual(['one', 'three', 'two']);
});

test('while nothing is due, the process looks for jobs once instead of each of its workers', async () => {
  await add('first');
  await expect.poll(() => done).toEqual(['first']);
  await wait(500);
  let asked = 0;
  const count = () => {
    asked += 1;
  };
  databasePool().on('acquire', count);
  await wait(2000);
  databasePool().off('acquire', count);
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(15);
});
