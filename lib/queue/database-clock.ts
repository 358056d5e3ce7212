import { db, Prisma } from '../db/database';
import { COMMITS_ASYNCHRONOUSLY, hasRun } from '../db/planner-hints';
import { log } from '../log';
import { PRIVATE_TIMES } from './private-tables';
import { type TableTimes, tableTimes } from './table-times';

// A smaller step is ignored: a failover may cause one, and it makes waits at most this much longer.
const LEAST_STEP = Prisma.sql`interval '5 seconds'`;

// A step smaller than this may go unnoticed, and after a larger one waits may last this much longer.
const NOTED_EVERY = Prisma.sql`interval '15 seconds'`;

/** The queue's own tables. */
export const QUEUE_TIMES = [
  tableTimes('seen_clock', { stays: ['at', 'forgotten_since', 'forgotten_until'] }),
  tableTimes('worker_process', { moves: ['started_at', 'beat_at'] }),
  ...PRIVATE_TIMES,
];

/**
 * Records the time of the database's clock every 15 seconds. If the clock has been set back since, moves all times for
 * which something waits back by as much; otherwise a step of an hour would delay all work by an hour. Leases are not
 * moved: their holders end them, and those of dead workers are freed.
 */
export async function followDatabaseClock(tables: readonly TableTimes[]): Promise<void> {
  const [seen] = await db().$queryRaw<{ isAhead: boolean; isOld: boolean }[]>`
    select at > now() + ${LEAST_STEP} as "isAhead", at < now() - ${NOTED_EVERY} as "isOld" from seen_clock`;
  if (seen?.isAhead) await moveWaitsBack(tables);
  else if (!seen || seen.isOld) await noteTime();
}

async function noteTime(): Promise<void> {
  // A note lost in a crash is simply made again.
  await db().$executeRaw`
    insert into seen_clock (at) select now() where ${COMMITS_ASYNCHRONOUSLY}
    on conflict (id) do update set at = excluded.at where seen_clock.at < excluded.at`;
}

async function moveWaitsBack(tables: readonly TableTimes[]): Promise<void> {
  const moving = tables.filter(({ moves, movesEach }) => moves.length + movesEach.length > 0);
  // PostgreSQL would run the parts in any order.
  const moved = moving.map(({ moveBackSql }, nr) => {
    const after = nr === 0 ? Prisma.empty : Prisma.sql`and ${hasRun(`moved_${nr - 1}`)}`;
    return Prisma.sql`${Prisma.raw(`moved_${nr}`)} as (${moveBackSql} ${after} returning 1)`;
  });
  // Several workers may notice the step; the first moves everything.
  const [step] = await db().$queryRaw<{ seconds: number }[]>`
    with last as (
      select at from seen_clock for update
    ), step as (
      select at - now() as back from last where at > now() + ${LEAST_STEP}
    ), noted as (
      update seen_clock set at = now() from step
    ), ${Prisma.join(moved)}
    select extract(epoch from back)::float8 as seconds from step`;
  if (step) log.warn(step, 'the clock of the database was set back');
}

/**
 * The time on the database's clock, down to the millisecond. Read before an outside service is asked, it dates the
 * answer, whatever the answer has to wait for before it is stored.
 */
export async function readDatabaseClock(): Promise<Date> {
  const [clock] = await db().$queryRaw<{ at: Date }[]>`
    select date_trunc('milliseconds', clock_timestamp()) as at`;
  return (clock as { at: Date }).at;
}

/** The time on the database's clock, now or in this many milliseconds. */
export type DatabaseTime = (inMs?: number) => Date;

/**
 * Derives the time on the database's clock from this process's monotonic clock: `shown` is what the database's clock
 * showed at `askedAt`. Stored times are the database's, and this host's clock may differ.
 */
export const databaseTimeSince =
  (shown: Date, askedAt: number): DatabaseTime =>
  (inMs = 0) =>
    new Date(shown.getTime() + performance.now() - askedAt + inMs);

/** A time on the database's clock as one on this process's own, monotonic clock. */
export const onOwnClock = (at: Date, databaseTime: DatabaseTime): number =>
  performance.now() + at.getTime() - databaseTime().getTime();
