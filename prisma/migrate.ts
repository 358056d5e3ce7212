import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { applyMigration, type Migration } from './apply-migration';

// Any fixed number: all processes that migrate this database take the same lock.
export const MIGRATION_LOCK = 7_203_114;

// A query that waits in the database keeps a snapshot, and an index that is made meanwhile waits for its end.
const TRY_LOCK = 'select pg_try_advisory_lock($1) as "isOurs"';
const TRY_AGAIN_MS = 200;

// Our tables are in this schema, even if a schema named like the role comes first. The role may have timeouts that are
// meant for the application's statements. Not every version has all of them.
const SETTINGS = `set search_path = public; set statement_timeout = 0; select set_config(name, '0', false) from pg_settings where name in
  ('lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')`;

// As Prisma makes it: earlier versions let Prisma apply their migrations.
const MAKE_NOTES = `create table _prisma_migrations (
  id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
  migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
  started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`;

/**
 * Brings a database to the newest schema: ours, then the job queue's. Safe to call from any number of
 * processes at once, and again. Returns the names of the migrations that it applied.
 */
export async function migrate(databaseUrl: string, root = process.cwd()): Promise<string[]> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    onConnect: (client) => client.query(SETTINGS),
  });
  // A waiting query reports a lost connection by itself; at other times the error does not matter.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const session = await pool.connect();
  try {
    await takeLock(session);
    const applied = await applyMissing(session, readMigrations(root));
    await runMigrations({ pgPool: pool });
    return applied;
  } finally {
    session.release(true);
    await pool.end();
  }
}

async function takeLock(session: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await session.query<{ isOurs: boolean }>(TRY_LOCK, [MIGRATION_LOCK]);
    if (rows[0]?.isOurs) return;
    await wait(TRY_AGAIN_MS);
  }
}

async function applyMissing(session: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  const applied = await listApplied(session);
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  for (const migration of missing) await applyMigration(session, migration);
  return missing.map(({ name }) => name);
}

async function listApplied(session: pg.ClientBase): Promise<string[]> {
  const tables = await listTables(session);
  if (tables.length === 0) await session.query(MAKE_NOTES);
  else if (!tables.includes('_prisma_migrations')) {
    throw new Error('it has tables that are not ours. Create a database of its own for Pagewire.');
  }
  // Those of earlier versions that were begun and did not end: nobody else is applying them, because we have the lock.
  await session.query(`
    update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null`);
  const { rows } = await session.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where rolled_back_at is null',
  );
  return rows.map(({ name }) => name);
}

/** The tables of the schema that Pagewire uses, without those that extensions brought. */
export async function listTables(session: pg.ClientBase): Promise<string[]> {
  const { rows } = await session.query<{ name: string }>(`
    select relname as name from pg_class
    where relnamespace = to_regnamespace('public') and relkind in ('r', 'p')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`);
  return rows.map(({ name }) => name);
}

/** The migrations of this version, in their order. */
export function readMigrations(root = process.cwd()): Migration[] {
  const folder = join(root, 'prisma/migrations');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, script: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
