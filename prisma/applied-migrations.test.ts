import pg from 'pg';
import { expect, test } from 'vitest';
import { createEmptyDatabase, createTestDatabase } from '@/lib/testing/database';
import { withOwnDatabase } from '@/lib/testing/own-database';
import { applyMigration } from './apply-migration';
import { migrate, readMigrations } from './migrate';

const LAST = '20261126140000_create_ends';

const pool = withOwnDatabase();
const url = () => pool().options.connectionString ?? '';
const interrupt = (name: string) =>
  pool().query('update _prisma_migrations set finished_at = null where migration_name = $1', [name]);
const forget = (name: string) =>
  pool().query('delete from _prisma_migrations where migration_name = $1', [name]);

test('a database that has every migration is left alone', async () => {
  expect(await migrate(url())).toEqual([]);
});

test('a migration that was interrupted is applied anew', async () => {
  await pool().query('alter table chat_interaction drop column create_ends_at');
  await interrupt(LAST);
  expect(await migrate(url())).toEqual([LAST]);
  expect(await migrate(url())).toEqual([]);
  await pool().query('select create_ends_at from chat_interaction');
});

test('a migration that an earlier version committed and did not note is noted', async () => {
  await interrupt(LAST);
  expect(await migrate(url())).toEqual([LAST]);
  expect(await migrate(url())).toEqual([]);
});

test('when a process dies before a migration is noted, the migration has left nothing', async () => {
  await pool().query('alter table chat_interaction drop column create_ends_at');
  await forget(LAST);
  await pool().query(`
    create function die() returns trigger language plpgsql as
      $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger die before insert or update on _prisma_migrations for each row
      when (new.finished_at is not null) execute function die()`);
  await expect(migrate(url())).rejects.toThrow(LAST);
  await pool().query('drop function die cascade');
  expect(await migrate(url())).toEqual([LAST]);
});

test('an index whose making was interrupted is made anew', async () => {
  const name = '20261126110001_clock_source_index';
  const index = 'rule_clock_workspace_id_database_id_idx';
  await pool().query(`update pg_index set indisvalid = false where indexrelid = $1::regclass`, [index]);
  await forget(name);
  expect(await migrate(url())).toEqual([name]);
  const { rows } = await pool().query('select indisvalid from pg_index where indexrelid = $1::regclass', [
    index,
  ]);
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('of an index that could not be made it is said that the next start makes it anew', async () => {
  const session = await pool().connect();
  const script = 'create unique index concurrently "twice_key" on twice (id)';
  await session.query('create table twice as select 1 as id from generate_series(1, 2)');
  const applied = applyMigration(session, { name: 'twice', script }).finally(() => session.release());
  await expect(applied).rejects.toThrow(
    'the migration twice was not applied: could not create unique index "twice_key". ' +
      'The next start makes the index twice_key anew, so correct that and start again.',
  );
  await pool().query('drop table twice');
});

test('a migration that fails is named, with the reason and what to do', async () => {
  await forget(LAST);
  await expect(migrate(url())).rejects.toThrow(
    `the migration ${LAST} was not applied: column "create_ends_at" of relation "chat_interaction" already exists. ` +
      'It is applied as a whole or not at all, so correct that and start again.',
  );
});

test('a migration that waits too long for a table says for what', async () => {
  const reader = await pool().connect();
  const session = await pool().connect();
  await reader.query('begin; select from rule');
  const migration = { name: 'add_color', script: 'alter table rule add column color text' };
  await expect(applyMigration(session, migration, 1)).rejects.toThrow(
    /^the migration add_color was not applied: for four minutes other sessions kept a table locked .* start again\.$/,
  );
  await reader.query('rollback');
  reader.release();
  await applyMigration(session, migration, 1);
  session.release();
});

test('a database of another program is left alone', async () => {
  const foreign = await createTestDatabase();
  const client = new pg.Client({ connectionString: foreign.url });
  await client.connect();
  await client.query('alter table _prisma_migrations rename to notes');
  await client.end();
  await expect(migrate(foreign.url)).rejects.toThrow('it has tables that are not ours');
  await foreign.drop();
});

test("the tables of an extension are not another program's", async () => {
  const empty = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  await client.query(
    'create table spatial_ref_sys (id int); alter extension plpgsql add table spatial_ref_sys',
  );
  await client.end();
  expect(await migrate(empty.url)).toHaveLength(readMigrations().length);
  await empty.drop();
});

test('a schema that comes before public gets no tables', async () => {
  const whole = await createTestDatabase();
  const client = new pg.Client({ connectionString: whole.url });
  await client.connect();
  const name = new URL(whole.url).pathname.slice(1);
  await client.query(`create schema first; alter database "${name}" set search_path = first, public`);
  expect(await migrate(whole.url)).toEqual([]);
  const { rows } = await client.query(`select from pg_class where relnamespace = 'first'::regnamespace`);
  expect(rows).toEqual([]);
  await client.end();
  await whole.drop();
});
