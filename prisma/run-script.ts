import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

// Whoever wants a table that a migration waits for waits behind it, so it does not wait for longer than anybody notices.
const LOCK_TIMEOUT = '500ms';
const PAUSE_MS = 500;
const TRIES = 240;
const LOCK_NOT_AVAILABLE = '55P03';

// It waits for every older transaction, while nobody waits for it.
const WAITS_ALONE = /\bconcurrently\b/i;

/**
 * Runs a script in one transaction. When others hold a table that it needs, it gives up its place and tries again, for
 * about four minutes in all. Throws PostgreSQL's error after that.
 */
export async function runScript(pool: pg.Pool, script: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = '${WAITS_ALONE.test(script) ? 0 : LOCK_TIMEOUT}'`);
    // A role may have one that suits calls.
    await client.query('set statement_timeout = 0');
    for (let tries = 1; ; tries += 1) {
      try {
        await client.query(script);
        return;
      } catch (error) {
        if (!isLocked(error) || tries === TRIES) throw error;
        await wait(PAUSE_MS);
      }
    }
  } finally {
    client.release(true);
  }
}

const isLocked = (error: unknown) => error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
