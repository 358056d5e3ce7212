import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { KEEP_ALIVE } from '../db/break-when-silent';
import { env } from '../env';
import { SECOND_MS } from '../time';

const CONNECT_MS = 10 * SECOND_MS;
const AGAIN_AFTER_MS = SECOND_MS;

type Begin = (client: pg.Client) => Promise<unknown>;

/**
 * Opens a session of its own and runs what it begins with. If that fails, throws and leaves no connection behind: a
 * standby, for example, lets clients in, but not listen. Calls `onLost` once if the session is lost later. Gives up when
 * nobody lets it in for ten seconds.
 */
export async function openSession(begin: Begin, onLost: (error: Error) => void): Promise<pg.Client> {
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

/**
 * Opens a session like `openSession`, and opens it again whenever it is lost, until it is ended. `onRegained` is called
 * each time that it is open again. Throws if it cannot be opened the first time.
 */
export async function keepSession(
  begin: Begin,
  { onLost, onRegained }: { onLost: (error: Error) => void; onRegained?: () => void },
): Promise<{ end(): Promise<void> }> {
  let isEnded = false;
  let client = await open();

  function open(): Promise<pg.Client> {
    return openSession(begin, (error) => {
      if (!isEnded) void openAgain(error);
    });
  }

  const endQuietly = () => client.end().catch(() => {});

  async function openAgain(error: Error): Promise<void> {
    onLost(error);
    while (!isEnded) {
      await sleep(AGAIN_AFTER_MS);
      // While the database is away, tries again in a second.
      const opened = isEnded ? null : await open().catch(() => null);
      if (!opened) continue;
      client = opened;
      if (isEnded) await endQuietly();
      else onRegained?.();
      return;
    }
  }

  return {
    async end() {
      isEnded = true;
      await endQuietly();
    },
  };
}
