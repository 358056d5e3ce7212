import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';

// Any fixed number: all processes that migrate this database take the same lock.
const MIGRATION_LOCK = 7_203_114;

/**
 * Brings a database to the newest schema: ours, then the job queue's. Safe to call from any number of
 * processes at once, and again. Returns the names of the migrations that it applied.
 */
export async function migrate(databaseUrl: string, root = process.cwd()): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  // A waiting query reports a lost connection by itself; at other times the error does not matter.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const holder = await pool.connect();
  try {
    // The role may have timeouts that are meant for the application's statements.
    await holder.query('set lock_timeout = 0; set statement_timeout = 0');
    await holder.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyMigrations(pool, join(root, 'prisma'));
    await runMigrations({ pgPool: pool });
    return applied;
  } finally {
    holder.release(true);
    await pool.end();
  }
}

async function applyMigrations(pool: pg.Pool, prismaDir: string): Promise<string[]> {
  const migrationsList = readMigrations(join(prismaDir, 'migrations'));
  if (await hasMigrations(pool)) {
    if (await areApplied(pool, migrationsList)) return [];
    await forgetInterrupted(pool);
  }
  // The engine takes half a second to load, and most starts have nothing for it to do.
  const { withSchemaEngine } = await import('./schema-engine');
  const schema = readFileSync(join(prismaDir, 'schema.prisma'), 'utf8');
  return withSchemaEngine(schema, pool, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList,
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  });
}

/** Whether any migration was ever applied. */
async function hasMigrations(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query(`select to_regclass('_prisma_migrations') is not null as found`);
  return rows[0].found;
}

/**
 * Marks migrations that began and did not end as rolled back, so that the engine applies them anew. A script is one
 * transaction, so an interrupted one has left nothing; and nobody else is applying it, because the caller has the lock.
 */
async function forgetInterrupted(pool: pg.Pool): Promise<void> {
  await pool.query(`
    update _prisma_migrations set rolled_back_at = now() where finished_at is null and rolled_back_at is null`);
}

/** Whether all migrations are applied, and none was interrupted. */
async function areApplied(pool: pg.Pool, { migrationDirectories }: MigrationsList): Promise<boolean> {
  const { rows } = await pool.query<{ name: string; isDone: boolean }>(`
    select migration_name as name, finished_at is not null as "isDone"
    from _prisma_migrations where rolled_back_at is null`);
  const applied = new Set(rows.map(({ name }) => name));
  return rows.every(({ isDone }) => isDone) && migrationDirectories.every(({ path }) => applied.has(path));
}

type MigrationsList = ReturnType<typeof readMigrations>;

/** The migrations of this version, with their texts. */
export function readMigrations(baseDir = join(process.cwd(), 'prisma/migrations')) {
  const lockfile = join(baseDir, 'migration_lock.toml');
  const names = readdirSync(baseDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: existsSync(lockfile) ? readFileSync(lockfile, 'utf8') : null,
    },
    shadowDbInitScript: '',
    migrationDirectories: names.map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: readFileSync(join(baseDir, name, 'migration.sql'), 'utf8') },
      },
    })),
  };
}
