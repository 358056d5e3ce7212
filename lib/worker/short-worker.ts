import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '@/lib/log';
import { countDueWork, type DueWork, isAnybodyWorking } from '@/lib/queue/due-work';
import { SECOND_MS } from '@/lib/time';
import { startWorker } from './run-worker';
import { TABLES } from './tables';

/** What was due when a short worker began, and what it left. */
export interface ShortShift {
  found: DueWork;
  left: DueWork;
}

// Hosts without long-lived processes allow a request to take a minute or more.
const SHIFT_MS = 50 * SECOND_MS;
const AFTER_RESPONSE_MS = 25 * SECOND_MS;

// After a response, work that is due later than this is left to the scheduler: waiting costs money.
const PATIENCE_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = 50;

/**
 * Does, with the ordinary worker, what is due and what becomes due within the time. Any number of these may run at
 * once, next to long-lived workers: each turn and each job is leased by one of them.
 */
export async function workShift(budgetMs = SHIFT_MS): Promise<ShortShift> {
  const deadline = Date.now() + budgetMs;
  const found = await countDueWork(TABLES);
  await workUntil(deadline, budgetMs);
  return { found, left: await countDueWork(TABLES) };
}

let working: Promise<void> | undefined;

/**
 * Works after a response if no worker is alive, once at a time in this process. A call that finds another at work leaves
 * everything to it, because that one looks once more after releasing its lock.
 */
export async function workAfterResponse(): Promise<void> {
  try {
    working ??= workUnlessOthersDo().finally(() => {
      working = undefined;
    });
    await working;
  } catch (error) {
    log.error({ err: error }, 'work after a response failed');
  }
}

async function workUnlessOthersDo(): Promise<void> {
  const deadline = Date.now() + AFTER_RESPONSE_MS;
  while (Date.now() < deadline && isAny(await countDueWork(TABLES)) && !(await isAnybodyWorking())) {
    await workUntil(deadline, PATIENCE_MS);
  }
}

async function workUntil(deadline: number, patienceMs: number): Promise<void> {
  const worker = await startWorker({ isShort: true });
  try {
    while (Date.now() < deadline) {
      const withinMs = Math.min(patienceMs, deadline - Date.now());
      if (!isAny(await countDueWork(TABLES, withinMs))) return;
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await worker.stop();
  }
}

const isAny = (due: DueWork) => Object.values(due).some((count) => count > 0);
