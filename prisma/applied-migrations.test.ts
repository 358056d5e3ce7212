import { expect, test } from 'vitest';
import { withOwnDatabase } from '@/lib/testing/own-database';
import { migrate, readMigrations } from './migrate';

const pool = withOwnDatabase();
const url = () => pool().options.connectionString ?? '';
const newest = () => readMigrations().migrationDirectories.at(-1)?.path ?? '';
const mark = (values: string) =>
  pool().query(`update _prisma_migrations set ${values} where migration_name = $1`, [newest()]);

test('a database that has every migration is left alone', async () => {
  expect(await migrate(url())).toEqual([]);
});

test('a migration that began and did not end is not passed over', async () => {
  await mark('finished_at = null');
  await expect(migrate(url())).rejects.toThrow(/failed/i);
  await mark('finished_at = now()');
  expect(await migrate(url())).toEqual([]);
});
