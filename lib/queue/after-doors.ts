import { setTimeout as sleep } from 'node:timers/promises';
import { inBackground } from '../db/database';

// A burst comes in with gaps; a door that was used a moment ago is about to be used again.
const QUIET_MS = 15;
const LONGEST_MS = 500;

// Kept on globalThis because Next loads this module once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireDoors?: { inside: number; lastUsedAt: number } };
holder.pagewireDoors ??= { inside: 0, lastUsedAt: -QUIET_MS };
const doors = holder.pagewireDoors;

/**
 * Answers somebody who waits at a door of this process, apart from the calls of pages; jobs that use `afterDoors` stand
 * back meanwhile.
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
 * Lets a burst of calls at the doors of this process be answered before a job goes on: waits until nobody is
 * inside and nobody was a moment ago, half a second at most. Whoever pressed a button waits for the
 * answer, not for the job. Costs nothing while the doors are quiet.
 */
export async function afterDoors(): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  for (;;) {
    const now = performance.now();
    const quietIn = doors.inside > 0 ? QUIET_MS : doors.lastUsedAt + QUIET_MS - now;
    if (quietIn <= 0 || now >= deadline) return;
    await sleep(quietIn);
  }
}
