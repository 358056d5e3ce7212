import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The result of some work. Throws what `late` returns when the work takes longer than this; it then continues, but
 * nobody waits for it.
 */
export async function inTime<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const done = new AbortController();
  const over = sleep(Math.max(0, ms), undefined, { signal: done.signal, ref: false }).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    done.abort();
  }
}
