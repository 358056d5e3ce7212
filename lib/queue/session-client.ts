import pg from 'pg';
import { KEEP_ALIVE } from '../db/break-when-silent';
import { env } from '../env';
import { SECOND_MS } from '../time';

const CONNECT_MS = 10 * SECOND_MS;

/**
 * Opens a session of its own and runs what it begins with. If that fails, throws and leaves no connection behind: a
 * standby, for example, lets clients in, but not listen. Calls `onLost` once if the session is lost later. Gives up when
 * nobody lets it in for ten seconds.
 */
export async function openSession(
  begin: (client: pg.Client) => Promise<unknown>,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: env().DATABASE_SESSION_URL,
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
  });
  let hasBegun = false;
  let lost: Error | undefined;
  client.on('error', (error) => {
    if (hasBegun && !lost) onLost(error);
    lost ??= error;
  });
  try {
    await client.connect();
    await begin(client);
    // May have been lost after the last answer had come.
    if (lost) throw lost;
    hasBegun = true;
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}
