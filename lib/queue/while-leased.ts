import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../log';
import { SECOND_MS } from '../time';

const AGAIN_AFTER_MS = SECOND_MS;

/**
 * Writes what a turn has come to, also when the database is away for a while: what an outside service has answered
 * is not asked again. Throws the last failure when the lease has ended.
 */
export async function whileLeased<T extends { leasedUntil: Date }, R>(
  turn: T,
  write: (turn: T) => Promise<R>,
): Promise<R> {
  for (;;) {
    try {
      return await write(turn);
    } catch (error) {
      log.error({ err: error }, 'turn not saved');
      if (Date.now() + AGAIN_AFTER_MS > turn.leasedUntil.getTime()) throw error;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}
