import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

const QUIET_TURN_MS = 5;
const PAUSE_MS = 10;
const LONGEST_MS = 250;

/**
 * Lets a burst of requests to this process be answered before a job goes on: waits until the event loop turns
 * quickly, a quarter of a second at most. Whoever pressed a button waits for the answer, not for the job.
 */
export async function afterDoors(): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  for (;;) {
    const start = performance.now();
    await nextTurn();
    const now = performance.now();
    if (now - start < QUIET_TURN_MS || now > deadline) return;
    await sleep(PAUSE_MS);
  }
}
