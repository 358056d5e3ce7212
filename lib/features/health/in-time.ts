import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '@/lib/time';

const PATIENCE_MS = 5 * SECOND_MS;

/** What the database answers. Throws when it has not answered within five seconds; somebody waits to hear of that. */
export async function inTime<T>(answer: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: answered.signal, ref: false }).then(() => {
    throw new Error('the database has not answered in time');
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
