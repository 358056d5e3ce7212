import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

export interface Migration {
  name: string;
  script: string;
}

// Other statements queue behind a migration that waits for a table, so it never waits long enough for people to notice.
const LOCK_TIMEOUT = '500ms';
const PAUSE_MS = 500;
const TRIES = 240;
const LOCK_NOT_AVAILABLE = '55P03';

// Such a statement waits for every older transaction, but no other statement waits for it.
const WAITS_ALONE = /\bindex\s+concurrently\s+"(?<index>[^"]+)"/i;

// What a script makes is there already, or what it removes is gone: columns, tables, other objects, functions.
const DONE_BEFORE = ['42701', '42703', '42P07', '42P01', '42710', '42704', '42723', '42883'];

/**
 * Runs a migration's script and notes it, both in one transaction; or makes an index outside of any, then notes it. If
 * others hold a table that the script needs, it leaves the queue and tries again, for about four minutes in all. Throws
 * a sentence that names the migration, the reason and what to do.
 */
export async function applyMigration(
  session: pg.ClientBase,
  migration: Migration,
  tries = TRIES,
): Promise<void> {
  const index = WAITS_ALONE.exec(migration.script)?.groups?.['index'];
  try {
    if (index) await makeIndex(session, migration, index);
    else await runWhole(session, migration, tries);
  } catch (error) {
    throw new Error(`the migration ${migration.name} was not applied: ${explain(error, index)}`, {
      cause: error,
    });
  }
}

async function makeIndex(session: pg.ClientBase, migration: Migration, index: string): Promise<void> {
  // An earlier run that was interrupted may have left the index, and not a valid one.
  await session.query(`drop index concurrently if exists "${index}"`);
  await session.query(migration.script);
  await note(session, migration);
}

async function runWhole(session: pg.ClientBase, migration: Migration, tries: number): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await session.query(`begin; set local lock_timeout = '${LOCK_TIMEOUT}'`);
      await session.query(migration.script);
      await note(session, migration);
      await session.query('commit');
      return;
    } catch (error) {
      await session.query('rollback').catch(() => undefined);
      if (isOf(error, DONE_BEFORE) && (await wasInterrupted(session, migration))) {
        return await note(session, migration);
      }
      if (!isOf(error, [LOCK_NOT_AVAILABLE]) || left === 1) throw error;
      await wait(PAUSE_MS);
    }
  }
}

async function note(session: pg.ClientBase, { name, script }: Migration): Promise<void> {
  const checksum = createHash('sha256').update(script).digest('hex');
  await session.query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
      values ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

/**
 * Whether an earlier version died while it applied the migration. It noted the end only after its commit, and a failure
 * in `logs`. A script is applied as a whole or not at all.
 */
async function wasInterrupted(session: pg.ClientBase, { name }: Migration): Promise<boolean> {
  const { rows } = await session.query(
    'select 1 from _prisma_migrations where migration_name = $1 and finished_at is null and logs is null',
    [name],
  );
  return rows.length > 0;
}

function explain(error: unknown, index: string | undefined): string {
  if (isOf(error, [LOCK_NOT_AVAILABLE])) {
    return (
      'for four minutes other sessions kept a table locked that it needs. End their long transactions, which ' +
      'pg_stat_activity shows, and start again.'
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  const left = index
    ? `The next start makes the index ${index} anew`
    : 'It is applied as a whole or not at all';
  return `${message}. ${left}, so correct that and start again.`;
}

const isOf = (error: unknown, codes: string[]) =>
  error instanceof pg.DatabaseError && codes.includes(error.code ?? '');
