import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { db } from '@/lib/db/database';
import { connectToOwnDatabase } from '@/lib/testing/own-database';
import { readSourceFiles } from '@/lib/testing/source-files';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';
import { forgetJobsOf, WRITTEN_FOR } from './private-tables';
import { handle, runQueue } from './run-queue';

connectToOwnDatabase();

test('what is said of the private tables was written for the installed version', () => {
  const { version } = JSON.parse(readFileSync('node_modules/graphile-worker/package.json', 'utf8'));
  expect(version).toBe(WRITTEN_FOR);
});

test('one file alone uses the private tables', () => {
  // The documentation names every table.
  const may = /(\.test\.ts|^lib\/testing\/.*|^e2e\/.*|^components\/docs\/content\/kept-data\.ts)$/;
  const users = readSourceFiles().filter(({ path, text }) => text.includes('_private_') && !may.test(path));
  expect(users.map(({ path }) => path)).toEqual(['lib/queue/private-tables.ts']);
});

test('a worker does not start on private tables that have changed, and says what is missing', async () => {
  await db().$executeRaw`alter table graphile_worker._private_job_queues rename locked_by to taken_by`;
  await expect(
    runQueue({ jobs: [], crontab: [], tables: { times: [], turns: {} } }, () => {}),
  ).rejects.toThrow('graphile-worker has no _private_job_queues.locked_by');
  await db().$executeRaw`alter table graphile_worker._private_job_queues rename taken_by to locked_by`;
});

const tellJob = defineJob({
  name: 'tell',
  payload: z.object({ accountId: z.string(), whom: z.string() }),
  key: ['whom'],
});

test('a job of an account that is deleted while it runs is not made again, and holds nothing meanwhile', async () => {
  const rows = () => db().$queryRaw`select key, payload, flags from graphile_worker._private_jobs`;
  let held: unknown;
  const tell = handle(tellJob, async ({ accountId }) => {
    await forgetJobsOf(db(), accountId, []);
    held ??= await rows();
    return { retryInMs: 3_600_000 };
  });
  await enqueue(db(), tellJob, { accountId: 'mira', whom: 'waits behind it' }, { inMs: 3_600_000 });
  await enqueue(db(), tellJob, { accountId: 'mira', whom: 'runs' });
  const queue = await runQueue({ jobs: [tell], crontab: [], tables: { times: [], turns: {} } }, () => {});
  await expect.poll(() => held).toEqual([{ key: null, payload: {}, flags: null }]);
  // The queue stops before it knows that the end of its last job is recorded.
  await queue.stop();
  await expect.poll(rows).toEqual([]);
});
