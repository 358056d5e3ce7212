import { setTimeout as sleep } from 'node:timers/promises';
import type { TimeLeft } from '@/lib/time';

/** The time was over before the work was. */
export class TooLate extends Error {}

/** What some work gives. Throws TooLate when no time is left for it: it then goes on, and nobody waits for it any more. */
export async function inTime<T>(left: TimeLeft, work: Promise<T>): Promise<T> {
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
