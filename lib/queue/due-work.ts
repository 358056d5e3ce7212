import { db } from '../db/database';
import { IS_WORKING } from './worker-lock';

/** What is to be done at a moment, whether somebody has started on it or not. */
export interface DueWork {
  pages: number;
  channels: number;
  jobs: number;
}

/** What is due within so many milliseconds from now. */
export async function countDueWork(withinMs = 0): Promise<DueWork> {
  const [due] = await db().$queryRaw<DueWork[]>`
    select (select count(*) from page_turn where due_at <= soon)::int as pages,
      (select count(*) from channel_turn where due_at <= soon)::int as channels,
      (select count(*) from graphile_worker.jobs where run_at <= soon and attempts < max_attempts)::int as jobs
    from (select now() + ${withinMs} * interval '1 millisecond' as soon) as moment`;
  return due ?? { pages: 0, channels: 0, jobs: 0 };
}

/** Whether any process works at this moment, here or elsewhere. */
export async function isAnybodyWorking(): Promise<boolean> {
  const rows = await db().$queryRaw<unknown[]>`select 1 from worker_process where ${IS_WORKING} limit 1`;
  return rows.length > 0;
}
