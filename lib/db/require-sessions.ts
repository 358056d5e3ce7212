import pg from 'pg';
import { SECOND_MS } from '../time';

interface Session {
  query(text: string): Promise<{ rows: { pid: number }[] }>;
  end(): Promise<void>;
}

/** The address leads to a pooler that assigns a connection only for one transaction. */
export class PooledByTransaction extends Error {}

const ROUNDS = 3;

// A pooler with a single connection has none for the second client.
const ANSWER_MS = 5 * SECOND_MS;

const kept = new Set<string>();

/**
 * Makes sure, once for each address, that a client keeps its connection, because advisory locks and listeners end with
 * it. Throws PooledByTransaction with a sentence that says what to do, and pg's own error when nothing answers.
 */
export async function requireSessions(address: string): Promise<void> {
  if (kept.has(address)) return;
  const isKept = await keepsSessions(async () => {
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    client.on('error', () => {});
    await client.connect();
    return client;
  });
  if (isKept) {
    kept.add(address);
    return;
  }
  throw new PooledByTransaction(
    'Pagewire cannot start. Its locks and notifications need connections of their own, but the database address ' +
      'leads to a transaction pooler. Set DATABASE_SESSION_URL to an address that leads to PostgreSQL itself or to a ' +
      'session pooler; DATABASE_URL may stay as it is.',
  );
}

/** Whether two clients keep a connection each, even while one of them is in a transaction. */
export async function keepsSessions(open: () => Promise<Session>): Promise<boolean> {
  const one = await open();
  const other = await open().catch(async (error) => {
    await one.end();
    throw error;
  });
  try {
    const pid = await pidOf(one);
    for (let round = 0; round < ROUNDS; round += 1) {
      // A transaction pooler now gives the second client the connection that the first has just used.
      await other.query('begin');
      await pidOf(other);
      const now = await pidOf(one).catch(whenNoneIsLeft);
      await other.query('rollback');
      if (now !== pid) return false;
    }
    return true;
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}

// pg reports this only by its message, without a code.
function whenNoneIsLeft(error: unknown): null {
  if (error instanceof Error && error.message === 'Query read timeout') return null;
  throw error;
}

async function pidOf(session: Session): Promise<number> {
  const { rows } = await session.query('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
