import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';

const LOOK_EVERY_MS = 100;
const LIMIT_MS = 120_000;

/**
 * Waits until no turn or job is due, so that none disturbs the next measurement. Ignores jobs that are due later or
 * were given up. Throws after two minutes and says what was left.
 */
export async function untilIdle(database: pg.Pool): Promise<void> {
  for (const start = performance.now(); ; await wait(LOOK_EVERY_MS)) {
    const { rows } = await database.query<{ what: string }>(DUE);
    if (rows.length === 0) return;
    if (performance.now() - start > LIMIT_MS) {
      throw new Error(`Still due after two minutes: ${rows.map(({ what }) => what).join(', ')}`);
    }
  }
}

const DUE = `
  select count(*) || ' turns of pages' as what from page_turn where due_at <= now() having count(*) > 0
  union all
  select count(*) || ' turns of channels' from channel_turn where due_at <= now() having count(*) > 0
  union all
  select count(*) || ' jobs ' || task_identifier from graphile_worker.jobs
  where run_at <= now() and attempts < max_attempts group by task_identifier`;
