import { db, Prisma } from '../db/database';
import type { ProductTables } from './table-times';
import { IS_WORKING } from './worker-lock';

/** How much work is due, including work in progress: jobs, and turns by kind. */
export type DueWork = Record<string, number>;

/** The work that is due within this many milliseconds. */
export async function countDueWork({ turns }: Pick<ProductTables, 'turns'>, withinMs = 0): Promise<DueWork> {
  const counts = Object.entries(turns).map(([of, table]) =>
    Prisma.raw(`(select count(*) from ${table} where due_at <= soon)::int as ${of}`),
  );
  const jobs = Prisma.sql`
    (select count(*) from graphile_worker.jobs where run_at <= soon and attempts < max_attempts)::int as jobs`;
  const [due] = await db().$queryRaw<DueWork[]>`
    select ${Prisma.join([...counts, jobs])}
    from (select now() + ${withinMs} * interval '1 millisecond' as soon) as moment`;
  return due ?? {};
}

/** Whether any worker is alive, in this process or elsewhere. */
export async function isAnybodyWorking(): Promise<boolean> {
  const rows = await db().$queryRaw<unknown[]>`select 1 from worker_process where ${IS_WORKING} limit 1`;
  return rows.length > 0;
}
