import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeLeft } from '@/lib/time';

/** The time ran out before the work was done. */
export class TooLate extends Error {}

/** The result of some work. Throws TooLate when its time runs out; the work then continues, but nobody waits for it. */
export async function withDeadline<T>(left: TimeLeft, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const over = sleep(Math.max(0, left()), undefined, { signal: done.signal }).then(() => {
    throw new TooLate();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    over.catch(() => {});
    done.abort();
  }
}
