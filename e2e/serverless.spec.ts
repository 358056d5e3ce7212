import { setTimeout as wait } from 'node:timers/promises';
import { upkeepJob } from '../lib/features/deliveries/retention';
import { enqueueText } from '../lib/queue/enqueue';
import { expect, test } from './fixtures';
import { type OwnHost, onOwnHost } from './own-host';

const HOSTS = {
  start: 'where nobody else works, the web server works what is due after an answer',
  hosted: 'where no process lasts, what is due is worked after an answer',
} as const;

for (const mode of ['start', 'hosted'] as const) {
  test(HOSTS[mode], ({ control }) =>
    onOwnHost({ databaseUrl: control.product.databaseUrl, mode, env: { WORKER: 'off' } }, workAfterResponse),
  );
}

async function workAfterResponse({ url, database }: OwnHost): Promise<void> {
  const jobs = async () => {
    const { rows } = await database.query(
      `select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'upkeep'`,
    );
    return rows[0].jobs;
  };
  const workers = async () => (await database.query('select 1 from worker_process')).rowCount;
  const queries = async () => {
    const { rows } = await database.query(
      `select count(*)::int as queries from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state_change > now() - interval '2 seconds'`,
    );
    return rows[0].queries;
  };
  // The health check is a call like any other, so the start's remaining work is done after it.
  await expect.poll(jobs).toBe(0);
  // There is no Discord here, and its retried calls would keep the worker going.
  await database.query('delete from graphile_worker._private_jobs where locked_at is null');
  await expect.poll(workers).toBe(0);
  // After its work, a call checks once more whether anything is due.
  await expect.poll(queries).toBe(0);
  await database.query(enqueueText(upkeepJob));
  await wait(1500);
  expect(await jobs()).toBe(1);
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
  await expect.poll(jobs).toBe(0);
}
