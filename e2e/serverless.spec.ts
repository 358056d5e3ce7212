import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { COMPLETE_ENVIRONMENT } from '../lib/testing/complete-environment';
import { migrate } from '../prisma/migrate';
import { startNext } from '../scripts/next-server';
import { freePort } from '../scripts/port';
import { expect, test } from './fixtures';

const HOSTS = {
  start: 'where nobody else works, the web server works what is due after an answer',
  hosted: 'where no process lasts, what is due is worked after an answer',
} as const;

for (const mode of ['start', 'hosted'] as const) {
  test(HOSTS[mode], ({ control }) => workAfterAnswer(control.product.databaseUrl, mode));
}

async function workAfterAnswer(databaseUrl: string, mode: keyof typeof HOSTS): Promise<void> {
  const url = new URL(databaseUrl);
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  await admin.query('create database serverless');
  url.pathname = '/serverless';
  await migrate(url.href);

  const port = await freePort();
  const env = {
    ...COMPLETE_ENVIRONMENT,
    DATABASE_URL: url.href,
    WORKER: 'off',
    APP_URL: `http://localhost:${port}`,
  };
  const app = await startNext({ mode, port, env, onOutput: () => {} });
  const database = new Client({ connectionString: url.href });
  await database.connect();
  const jobs = async () => {
    const { rows } = await database.query(
      `select count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'upkeep'`,
    );
    return rows[0].jobs;
  };
  const workers = async () => (await database.query('select 1 from worker_process')).rowCount;
  try {
    // Asking whether it lives is a call like any other: what the start has left to do is done after it.
    await expect.poll(jobs).toBe(0);
    // There is no Discord here, and a call of it that is due again would keep the worker going.
    await database.query('delete from graphile_worker._private_jobs where locked_at is null');
    await expect.poll(workers, { timeout: 30_000 }).toBe(0);
    await database.query(`select graphile_worker.add_job('upkeep', '{}'::json, job_key => 'upkeep')`);
    await wait(1500);
    expect(await jobs()).toBe(1);
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    await expect.poll(jobs).toBe(0);
  } finally {
    await database.end();
    await app.stop();
    await admin.query('drop database serverless with (force)');
    await admin.end();
  }
}
