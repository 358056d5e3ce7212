import pg from 'pg';
import { PooledByTransaction, requireSessions } from '@/lib/db/require-sessions';
import { PlainError } from '../plain-error';

/** A connection of its own to PostgreSQL. Throws one sentence when there is none. */
export async function openSession(address: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: address, connectionTimeoutMillis: 10_000 });
  session.on('error', () => {});
  try {
    await requireSessions(address);
    await session.connect();
    return session;
  } catch (cause) {
    if (cause instanceof PooledByTransaction) throw new PlainError(cause.message, { cause });
    const { message } = cause as Error;
    throw new PlainError(
      `The database does not answer by DATABASE_SESSION_URL, or DATABASE_URL without it: ${message}`,
      { cause },
    );
  }
}

/** The server's major version. */
export async function versionOfServer(session: pg.Client): Promise<number> {
  const { rows } = await session.query(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  return rows[0].version;
}
