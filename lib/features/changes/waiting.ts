import { DAY_MS, MINUTE_MS, SECOND_MS } from '@/lib/time';
import type { LoadedTurn } from './loaded-turn';

const GIVE_UP_AFTER_MS = DAY_MS;
const MAX_WAIT_MS = 5 * MINUTE_MS;

type Waiting = Pick<LoadedTurn, 'events' | 'lastEventAt' | 'databaseTime'>;

/** Whether a turn has waited for a day, after which what it waits for is given up. */
export const hasWaitedADay = (turn: Waiting): boolean => waitedMs(turn) > GIVE_UP_AFTER_MS;

/** When to try again, on the database's clock: a turn waits about as long again as it has waited so far. */
export const nextAttemptAt = (turn: Waiting, longestMs = MAX_WAIT_MS): Date =>
  turn.databaseTime(Math.min(longestMs, Math.max(SECOND_MS, waitedMs(turn))));

function waitedMs({ events, lastEventAt, databaseTime }: Waiting): number {
  const since = events[0]?.receivedAt ?? lastEventAt;
  return since ? databaseTime().getTime() - since.getTime() : 0;
}
