import { existsSync } from 'node:fs';
import type pg from 'pg';
import { MARK_RESTORED_SQL } from '@/lib/features/recovery/mark-restored-sql';
import { migrate } from '../../prisma/migrate';
import { hasTables } from '../has-tables';
import { PlainError } from '../plain-error';
import { findClients } from '../postgres-clients';
import { requireServer } from '../prepare-database';
import { requireOurBackup } from './archive';
import { checkKeysSql } from './check-keys-sql';
import { readInto } from './read-into';
import { openSession, versionOfServer } from './session';

interface Wanted {
  file: string;
  address: string;
  /** Whether everything in the database may be deleted. */
  isReplacing: boolean;
  /** The configured encryption keys. */
  keys: Buffer[];
}

/**
 * Restores a backup completely or not at all, applies this version's migrations, and makes the product find out what
 * was told since the backup. Throws one sentence.
 */
export async function restoreBackup(wanted: Wanted): Promise<void> {
  await alone(wanted.address, (session) => read(session, wanted));
  await migrate(wanted.address);
}

/** After another kind of recovery: makes the product find out what was told since. Throws one sentence. */
export async function noteRecovery(address: string): Promise<void> {
  await alone(address, async (session) => {
    if (!(await hasTables(session, 'public.seen_clock')))
      throw new PlainError('The database holds nothing of Pagewire.');
    // The role may have a short limit for the product.
    await session.query('set statement_timeout = 0');
    await session.query(MARK_RESTORED_SQL);
  });
}

async function alone(address: string, work: (session: pg.Client) => Promise<void>): Promise<void> {
  const session = await openSession(address);
  try {
    await requireNobodyElse(session);
    await work(session);
  } finally {
    await session.end();
  }
}

async function read(session: pg.Client, { file, address, isReplacing, keys }: Wanted): Promise<void> {
  if (!existsSync(file)) throw new PlainError(`There is no file ${file}.`);
  const folder = findClients(await versionOfServer(session));
  requireOurBackup(folder, file);
  await requireServer(address, { isFilling: true });
  const isEmpty = await holdsNothing(session);
  if (!isEmpty && !isReplacing) {
    throw new PlainError(
      'The database is not empty. Restore to an empty one, or add --replace: everything in it is deleted then.',
    );
  }
  const [before, after] = [isEmpty ? '' : EMPTY_SQL, `${checkKeysSql(keys)}\n${MARK_RESTORED_SQL}`];
  await readInto({ folder, file, address, before, after });
}

async function requireNobodyElse(session: pg.Client): Promise<void> {
  const { rows } = await session.query(`
    select count(*)::int as others from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`);
  const { others } = rows[0];
  if (others === 0) return;
  const count = others === 1 ? '1 connection' : `${others} connections`;
  throw new PlainError(
    `Others are connected to the database (${count}). Stop every web process and worker first.`,
  );
}

// Objects of extensions that come with a server do not count as content.
async function holdsNothing(session: pg.Client): Promise<boolean> {
  const { rows } = await session.query(`
    select not exists (
      select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as empty`);
  return rows[0].empty;
}

const EMPTY_SQL = `
do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname !~ '^(pg_|information_schema$)' loop
    execute format('drop schema %I cascade', name);
  end loop;
end $$;
create schema public;
grant usage on schema public to public;
`;
