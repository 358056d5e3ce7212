import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { migrate, readMigrations } from './migrate';

const ALTERS_RULE = '20261122210003_rule_mentions';
const NOBODY = 'http://127.0.0.1:9';

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createEmptyDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  pool.on('error', () => {});
  await migrateTo(database.url, (name) => name < ALTERS_RULE);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

test('while a migration waits for a table that somebody reads for long, others use the table', async () => {
  const reader = await pool.connect();
  await reader.query('begin');
  await reader.query('select from rule');
  const migrated = migrate(database.url);
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);

  // Ends although the reader's transaction has not.
  await pool.query('update rule set channel_name = channel_name');

  await reader.query('commit');
  reader.release();
  expect(await migrated).toContain(ALTERS_RULE);
});

test('a worker that is started before the migrations of its version begins once they are applied', async () => {
  const nowhere = { DISCORD_API_URL: NOBODY, NOTION_API_URL: NOBODY, DATABASE_URL: database.url };
  const env = { ...process.env, ...COMPLETE_ENVIRONMENT, ...nowhere };
  const worker = spawn(process.execPath, ['--import', 'tsx', 'scripts/worker.ts'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let log = '';
  worker.stdout.on('data', (text) => {
    log += text;
  });
  const working = async () => (await pool.query('select from worker_process')).rowCount;
  await expect.poll(() => log).toContain(`"first":"${ALTERS_RULE}"`);
  expect(await working()).toBe(0);

  await migrate(database.url);
  await expect.poll(working).toBe(1);
  expect(log).toContain('migrations are applied: the worker starts');

  const ended = once(worker, 'exit');
  worker.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
});

const WAITING = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
  and query_start < now() - interval '1 second'`;

// It asks for the lock again and again, so it waits in no query.
const ASKING = `select 1 from pg_stat_activity where query like 'select pg_try_advisory_lock%'
  and datname = current_database() and backend_start < now() - interval '1 second'`;

test.each([
  ['the migrations of another one', 'select pg_advisory_lock(7203114)', ASKING],
  [`the job queue's migrations`, 'lock table graphile_worker.migrations', WAITING],
])('a start waits for %s although the role has short timeouts', async (_, lock, sign) => {
  const settings = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
  const name = new URL(database.url).pathname.slice(1);
  await pool.query(settings.map((each) => `alter database "${name}" set ${each} = '200ms'`).join('; '));
  const holder = await pool.connect();
  await holder.query(settings.map((each) => `set ${each} = 0`).join('; '));
  await holder.query('begin');
  await holder.query(lock);
  const migrated = migrate(database.url);
  await expect.poll(async () => (await pool.query(sign)).rowCount).toBe(1);
  holder.release(true);
  expect(await migrated).toContain(ALTERS_RULE);
});

test('of processes that start together on an empty database, one applies everything', async () => {
  const empty = await createEmptyDatabase();
  const applied = await Promise.all([1, 2, 3].map(() => migrate(empty.url)));
  expect(applied.map((names) => names.length).sort()).toEqual([0, 0, readMigrations().length]);
  await empty.drop();
});
