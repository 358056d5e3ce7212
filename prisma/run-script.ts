import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

// Other statements queue behind a migration that waits for a table, so it never waits long enough for people to notice.
const LOCK_TIMEOUT = '500ms';
const PAUSE_MS = 500;
const TRIES = 240;
const LOCK_NOT_AVAILABLE = '55P03';

// Such a statement waits for every older transaction, but no other statement waits for it.
const WAITS_ALONE = /\bindex\s+concurrently\s+"(?<index>[^"]+)"/i;

/**
 * Runs a script in one transaction, or the making of an index outside of any. If others hold a table that it needs, it
 * leaves the queue and tries again, for about four minutes in all. Throws PostgreSQL's error after that.
 */
export async function runScript(pool: pg.Pool, script: string): Promise<void> {
  const client = await pool.connect();
  let isClean = false;
  try {
    const alone = WAITS_ALONE.exec(script)?.groups;
    await client.query(`set lock_timeout = '${alone ? 0 : LOCK_TIMEOUT}'`);
    // The role may have a timeout that is meant for the application's statements.
    await client.query('set statement_timeout = 0');
    // It runs in no transaction. An earlier run that was interrupted may have left the index, and not a valid one.
    if (alone) await client.query(`drop index concurrently if exists "${alone['index']}"`);
    for (let tries = 1; ; tries += 1) {
      try {
        await client.query(script);
        // Opening a connection takes longer than most scripts.
        await client.query('discard all');
        isClean = true;
        return;
      } catch (error) {
        if (!isLocked(error) || tries === TRIES) throw error;
        await wait(PAUSE_MS);
      }
    }
  } finally {
    client.release(!isClean);
  }
}

const isLocked = (error: unknown) => error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE;
