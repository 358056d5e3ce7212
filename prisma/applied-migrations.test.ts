import { expect, test } from 'vitest';
import { withOwnDatabase } from '@/lib/testing/own-database';
import { migrate } from './migrate';

const pool = withOwnDatabase();
const url = () => pool().options.connectionString ?? '';
const interrupt = (name: string) =>
  pool().query('update _prisma_migrations set finished_at = null where migration_name = $1', [name]);

test('a database that has every migration is left alone', async () => {
  expect(await migrate(url())).toEqual([]);
});

test('a migration that was interrupted is applied anew', async () => {
  const name = '20261126140000_create_ends';
  await pool().query('alter table chat_interaction drop column create_ends_at');
  await interrupt(name);
  expect(await migrate(url())).toEqual([name]);
  expect(await migrate(url())).toEqual([]);
  await pool().query('select create_ends_at from chat_interaction');
});

test('an index whose making was interrupted is made anew', async () => {
  const name = '20261126110001_clock_source_index';
  const index = 'rule_clock_workspace_id_database_id_idx';
  await pool().query(`update pg_index set indisvalid = false where indexrelid = $1::regclass`, [index]);
  await interrupt(name);
  expect(await migrate(url())).toEqual([name]);
  const { rows } = await pool().query('select indisvalid from pg_index where indexrelid = $1::regclass', [
    index,
  ]);
  expect(rows).toEqual([{ indisvalid: true }]);
});
