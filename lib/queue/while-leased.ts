import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { SECOND_MS } from '../time';
import type { DatabaseTime } from './database-clock';

const AGAIN_AFTER_MS = SECOND_MS;

/**
 * Writes what a turn has come to, also when the database is away for a while: what an outside service has answered
 * is not asked again. Throws the last failure when the lease has ended.
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
