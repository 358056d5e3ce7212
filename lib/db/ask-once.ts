import pg from 'pg';
import { SECOND_MS } from '../time';

// A pooler that is paused lets clients in, but answers none of their queries.
const PATIENCE_MS = 10 * SECOND_MS;

/** The first row that a query returns on a connection of its own. Throws pg's error when nobody answers in time. */
export async function askOnce<Row extends pg.QueryResultRow>(
  address: string,
  query: string,
  values: unknown[] = [],
): Promise<Row | undefined> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<Row>(query, values)).rows[0];
  } finally {
    await client.end().catch(() => undefined);
  }
}
