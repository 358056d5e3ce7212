import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/time';
import { processState } from '../process-state';
import { tooManyRequests } from './limit-address';

/** How many calls of an account begin at once in a process, and in each second after that. */
export const pace = { atOnce: 4, aSecond: 4 };

const MAX_WAIT_MS = 25 * SECOND_MS;

// By account: until when its calls are booked, in milliseconds on this process's own clock.
const takenUntil = processState('takenUntil', () => new Map<string, number>());

/**
 * Waits until an account may begin another call in this process. Somebody who calls all the time delays only themselves
 * and leaves most of the processor to others. Throws `rate_limited` when the wait would be more than 25 seconds.
 */
export async function throttleAccount(accountId: string): Promise<void> {
  const waitMs = bookCall(accountId, performance.now());
  if (waitMs > 0) await sleep(waitMs);
}

/** Books an account's next call. Returns how long it has to wait, in milliseconds. Throws like `throttleAccount`. */
export function bookCall(accountId: string, now: number): number {
  forgetPast(now);
  const stepMs = SECOND_MS / pace.aSecond;
  const taken = Math.max(takenUntil.get(accountId) ?? 0, now) + stepMs;
  const waitMs = Math.max(0, taken - pace.atOnce * stepMs - now);
  if (waitMs > MAX_WAIT_MS) throw tooManyRequests(Math.ceil(waitMs / SECOND_MS));
  takenUntil.set(accountId, taken);
  return waitMs;
}

function forgetPast(now: number): void {
  for (const [accountId, until] of takenUntil) if (until < now) takenUntil.delete(accountId);
}
