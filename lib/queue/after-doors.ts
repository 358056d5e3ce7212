import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground } from '../db/database';
import { processState } from '../process-state';

// Bursts have gaps: a door that was used a moment ago is likely to be used again.
const QUIET_MS = 15;
const MAX_MS = 500;

const doors = processState('doors', () => ({ inside: 0, lastUsedAt: -QUIET_MS }));

/**
 * Answers a call at a door of this process, on connections that the pages do not use. Jobs that use `afterDoors` wait
 * meanwhile.
 */
export async function throughDoor<T>(answer: () => Promise<T>): Promise<T> {
  doors.inside += 1;
  try {
    return await inBackground(answer);
  } finally {
    doors.inside -= 1;
    doors.lastUsedAt = performance.now();
  }
}

/**
 * Lets a burst of calls at this process's doors be answered before a job continues: waits until no call is being
 * answered and none was a moment ago, for at most half a second. A person who pressed a button waits for the answer,
 * not for the job. Costs nothing while the doors are quiet.
 */
export async function afterDoors(): Promise<void> {
  const deadline = performance.now() + MAX_MS;
  for (;;) {
    const now = performance.now();
    const quietIn = doors.inside > 0 ? QUIET_MS : doors.lastUsedAt + QUIET_MS - now;
    if (quietIn <= 0 || now >= deadline) return;
    await sleep(quietIn);
  }
}
