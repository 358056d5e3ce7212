import { askOnce } from '@/lib/db/ask-once';
import { findsOurTables } from '@/lib/db/finds-our-tables';
import { isSameDatabase } from '@/lib/db/is-same-database';
import { PooledByTransaction, requireSessions } from '@/lib/db/require-sessions';
import type { Env } from '@/lib/env';
import { migrate } from '../prisma/migrate';
import { PlainError } from './plain-error';

/** The oldest version of PostgreSQL that has everything that the statements use. */
export const OLDEST_POSTGRES = 15;

const SERVER = `
  select current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_encoding') as encoding, to_regclass('public._prisma_migrations') is null as "isNew"`;

type Addresses = Pick<Env, 'DATABASE_URL' | 'DATABASE_SESSION_URL'>;

/** Applies this version's migrations and returns their names. Throws one sentence when that is impossible. */
export async function prepareDatabase(env: Addresses): Promise<string[]> {
  const isOne = env.DATABASE_SESSION_URL === env.DATABASE_URL;
  try {
    await requireSessions(env.DATABASE_SESSION_URL).catch(
      noAnswerBy(isOne ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'),
    );
    await requireServer(env.DATABASE_SESSION_URL);
    await requireSameTables(env);
    return await migrate(env.DATABASE_SESSION_URL);
  } catch (error) {
    if (error instanceof PlainError) throw error;
    const reason = error instanceof Error && error.message ? error.message : error;
    throw new PlainError(`The database could not be brought up to date: ${reason}`);
  }
}

/**
 * Throws one sentence if the server is too old, or a database that is new or about to be filled could not hold every
 * text. One that is in use keeps running.
 */
export async function requireServer(address: string, { isFilling = false } = {}): Promise<void> {
  const server = await askOnce<{ version: number; encoding: string; isNew: boolean }>(address, SERVER);
  if (!server) return;
  const { version, encoding, isNew } = server;
  if (version < OLDEST_POSTGRES) {
    throw new PlainError(
      `Pagewire needs PostgreSQL ${OLDEST_POSTGRES} or newer, and this server has version ${version}.`,
    );
  }
  if ((isNew || isFilling) && encoding !== 'UTF8') {
    throw new PlainError(
      `Pagewire needs a database in UTF8, and this one is encoded in ${encoding}. ` +
        "Create it anew with encoding 'UTF8' template template0.",
    );
  }
}

/** Throws one sentence if pages would use other tables than jobs and migrations. */
export async function requireSameTables({ DATABASE_URL, DATABASE_SESSION_URL }: Addresses): Promise<void> {
  const isSame = await isSameDatabase(DATABASE_URL, DATABASE_SESSION_URL).catch(noAnswerBy('DATABASE_URL'));
  if (!isSame) {
    throw new PlainError(
      'Pagewire cannot start. DATABASE_URL and DATABASE_SESSION_URL lead to two databases; let both lead to the same one, ' +
        'the second without a transaction pooler.',
    );
  }
  for (const [name, address] of Object.entries({ DATABASE_URL, DATABASE_SESSION_URL })) {
    if (await findsOurTables(address).catch(noAnswerBy(name))) continue;
    throw new PlainError(
      `Pagewire cannot start. Its tables are in the schema public, but the search_path of ${name} leads to others first. ` +
        'Run "alter role <role> in database <database> set search_path = public", and set no search_path in the address.',
    );
  }
}

const noAnswerBy = (name: string) => (error: Error) => {
  if (error instanceof PooledByTransaction) throw new PlainError(error.message);
  throw new PlainError(
    `Pagewire cannot start. It got no answer from the database by ${name}: ${error.message}`,
  );
};
