import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { SECOND_MS } from '../time';
import type { DatabaseTime } from './database-clock';

const AGAIN_AFTER_MS = SECOND_MS;

/**
 * Writes the results of a turn, retrying while the database is away, so that an outside service that has answered is
 * not called again. Throws the last failure when the lease has ended.
 */
export async function whileLeased<T extends { leasedUntil: Date; databaseTime: DatabaseTime }, R>(
  turn: T,
  write: (turn: T) => Promise<R>,
): Promise<R> {
  for (;;) {
    try {
      return await write(turn);
    } catch (error) {
      log.error({ err: error }, 'turn not saved');
      if (turn.databaseTime(AGAIN_AFTER_MS) > turn.leasedUntil) throw error;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}
