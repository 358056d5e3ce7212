import type { Socket } from 'node:net';
import type pg from 'pg';
import { SECOND_MS } from '../time';

/** Lets the system find within half a minute that the other end of an idle connection is gone. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10 * SECOND_MS };

// What the types of pg leave out.
interface WithStream {
  connection: { stream: Socket };
}

/**
 * Breaks connections of a pool that are in use and on which nothing has come or gone for `ms`, if `isLost` says so. Their
 * server, or the way to it, is gone without a word, and the system would wait a quarter of an hour. The statement fails,
 * and the pool opens a new connection for the next one. `isLost` never rejects; without it, `ms` is longer than any
 * statement of the pool may take.
 */
export function breakWhenSilent(
  pool: pg.Pool,
  ms: number,
  isLost: (client: pg.PoolClient) => Promise<boolean> = async () => true,
): void {
  const inUse = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => {
    const { stream } = (client as unknown as WithStream).connection;
    stream.setTimeout(ms);
    stream.on('timeout', async () => {
      if (!inUse.has(client)) return;
      const transferred = () => stream.bytesRead + stream.bytesWritten;
      const before = transferred();
      if ((await isLost(client)) && transferred() === before) {
        const silent = new Error('the database has been silent for too long');
        stream.destroy(Object.assign(silent, { code: 'ETIMEDOUT' }));
      } else {
        // Starts the clock again; it has run out.
        stream.setTimeout(ms);
      }
    });
  });
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_, client) => inUse.delete(client));
}
