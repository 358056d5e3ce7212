import { db, Prisma } from '../db/database';
import { log } from '../log';
import { PRIVATE_TIMES } from './private-tables';
import { type TableTimes, tableTimes } from './table-times';

// Less is no more than the clocks of a failover differ by, and a wait that is this much longer.
const LEAST_STEP = Prisma.sql`interval '5 seconds'`;

// A step that is smaller than this may go unnoticed, and after a larger one waits may last this much longer.
const NOTED_EVERY = Prisma.sql`interval '15 seconds'`;

/** The queue's own tables. */
export const QUEUE_TIMES = [
  tableTimes('seen_clock', { stays: ['at'] }),
  tableTimes('worker_process', { moves: ['started_at', 'beat_at'] }),
  ...PRIVATE_TIMES,
];

/**
 * Notes now and then what time it is for the database. When its clock has been put back since, what waits for a time
 * of the old clock is moved by as much; an hour back would otherwise have everything wait for an hour. Leases stay:
 * whoever has one ends it, and those of the dead are freed.
 */
export async function followDatabaseClock(tables: readonly TableTimes[]): Promise<void> {
  const [seen] = await db().$queryRaw<{ isAhead: boolean; isOld: boolean }[]>`
    select at > now() + ${LEAST_STEP} as "isAhead", at < now() - ${NOTED_EVERY} as "isOld" from seen_clock`;
  if (seen?.isAhead) await moveWaitsBack(tables);
  else if (!seen || seen.isOld) await noteTime();
}

async function noteTime(): Promise<void> {
  // A note that a crash of the database loses is made again; the disk is not waited for.
  await db().$executeRaw`
    insert into seen_clock (at) select now() where set_config('synchronous_commit', 'off', true) = 'off'
    on conflict (id) do update set at = excluded.at where seen_clock.at < excluded.at`;
}

async function moveWaitsBack(tables: readonly TableTimes[]): Promise<void> {
  const moving = [...QUEUE_TIMES, ...tables].filter(({ moves }) => moves.length > 0);
  const moved = moving.map(
    ({ moveBackSql }, nr) => Prisma.sql`${Prisma.raw(`moved_${nr}`)} as (${moveBackSql})`,
  );
  // Of several that find out, the first one moves it all.
  const [step] = await db().$queryRaw<{ seconds: number }[]>`
    with last as (
      select at from seen_clock for update
    ), step as (
      select at - now() as back from last where at > now() + ${LEAST_STEP}
    ), noted as (
      update seen_clock set at = now() from step
    ), ${Prisma.join(moved)}
    select extract(epoch from back)::float8 as seconds from step`;
  if (step) log.warn(step, 'the clock of the database was put back');
}

/** What time it is for the database, or will be in so many milliseconds. */
export type DatabaseTime = (inMs?: number) => Date;

/**
 * The database's clock, from what it showed when it was asked at a moment of this process's own clock, which never
 * steps. What is stored is stamped by the database, and the clock of this host may differ from it.
 */
export const databaseTimeSince =
  (shown: Date, askedAt: number): DatabaseTime =>
  (inMs = 0) =>
    new Date(shown.getTime() + performance.now() - askedAt + inMs);
