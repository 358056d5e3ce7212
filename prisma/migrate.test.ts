import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '@/lib/testing/database';
import { migrateTo } from '@/lib/testing/migrations';
import { migrate } from './migrate';

const ALTERS_RULE = '20261122210003_rule_mentions';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = new pg.Pool({ connectionString: database.url });
  await migrateTo(database.url, (name) => name < ALTERS_RULE);
});
afterAll(async () => {
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

  // It ends although the reader has not.
  await pool.query('update rule set channel_name = channel_name');

  await reader.query('commit');
  reader.release();
  expect(await migrated).toContain(ALTERS_RULE);
});
