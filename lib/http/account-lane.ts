import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { SECOND_MS } from '@/lib/time';
import { tooManyRequests } from './limit-address';

/** What one account may do at a time in one process. Several processes do several times as much. */
export const laneLimits = { atOnce: 2, atFirst: 4, aSecond: 4 };

const WAITING = 100;

interface Lane {
  run: LimitFunction;
  /** Until when the calls that have begun take up the pace, in milliseconds of the process's own clock. */
  takenUntil: number;
}

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireAccountLanes?: Map<string, Lane> };

/**
 * Runs a call of an account when it is the account's turn in this process: two are under way at a time and, after the
 * first four, four begin in a second. So whoever calls all the time waits for themselves, and most of the processor is
 * left to the others. Throws `rate_limited` while a hundred are waiting, and what the call throws.
 */
export async function inAccountLane<T>(accountId: string, call: () => Promise<T>): Promise<T> {
  const lane = findLane(accountId);
  if (lane.run.pendingCount >= WAITING) throw tooManyRequests(WAITING / laneLimits.aSecond);
  return lane.run(async () => {
    const paceMs = SECOND_MS / laneLimits.aSecond;
    const now = performance.now();
    lane.takenUntil = Math.max(lane.takenUntil, now) + paceMs;
    const waitMs = lane.takenUntil - laneLimits.atFirst * paceMs - now;
    if (waitMs > 0) await sleep(waitMs);
    return call();
  });
}

function findLane(accountId: string): Lane {
  holder.pagewireAccountLanes ??= new Map();
  const lanes = holder.pagewireAccountLanes;
  for (const [id, lane] of lanes) if (isAtRest(lane)) lanes.delete(id);
  const lane = lanes.get(accountId) ?? { run: pLimit(laneLimits.atOnce), takenUntil: 0 };
  lanes.set(accountId, lane);
  return lane;
}

const isAtRest = ({ run, takenUntil }: Lane) =>
  run.activeCount + run.pendingCount === 0 && takenUntil < performance.now();
