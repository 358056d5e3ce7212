import type pg from 'pg';
import { databasePool, db, Prisma } from '../db/database';
import { COMMITS_ASYNCHRONOUSLY } from '../db/planner-hints';
import { log } from '../log';
import { followDatabaseClock } from './database-clock';
import {
  freeIdleQueues,
  freeLostJobs,
  IDLE_QUEUES,
  LONG_LOCKED,
  lostJobsSql,
  type OwnJobs,
  REPLACED_JOBS,
} from './private-tables';
import { keepSession } from './session-client';
import type { ProductTables } from './table-times';

// The first half of our two-number advisory locks; the second is the worker process's own key.
const LOCK_CLASS = 7_203_115;

const SWEEP_INTERVAL_MS = 3000;

// Allows for the time between a process's row and its lock.
const STARTING_SECONDS = 2;

// A process that has made no progress for this long does no work, although it holds its lock.
const STILL_SECONDS = 300;
const BEAT_SECONDS = 15;

/**
 * Whether the process of a row of `worker_process` is alive: it holds its lock, which ends with its connection, and
 * records its progress, unless its version is too old to do so.
 */
export const IS_WORKING = Prisma.sql`(coalesce(beat_at > now() - ${STILL_SECONDS} * interval '1 second', true) and exists (
  select 1 from pg_locks
  where locktype = 'advisory' and classid = ${LOCK_CLASS} and objid = lock_key::bigint and granted
    and database = (select oid from pg_database where datname = current_database())))`;

export interface WorkerLock {
  /** This process's key in leases. */
  key: number;
  release(): Promise<void>;
}

/**
 * Registers this process for as long as it lives, under the ids with which it locks jobs, and takes over the jobs of
 * dead processes. The queue itself would wait four hours before it gave a dead worker's job to another; an advisory
 * lock ends with its connection, so a death shows at once. A process that hangs keeps its connection but records no
 * progress. Calls `onGivenUp` once when other processes have given this one up and taken over its work.
 */
export async function holdWorkerLock(
  own: OwnJobs,
  tables: ProductTables,
  onGivenUp: () => void,
): Promise<WorkerLock> {
  // Set by the database, because the client would use this host's clock.
  const [{ lockKey }] = await db().$queryRaw<[{ lockKey: number }]>`
    insert into worker_process (worker_ids, beat_at) values (${own.poolIds}::text[], now())
    returning lock_key as "lockKey"`;
  let released = false;
  const session = await keepSession((client) => takeLock(client, lockKey), {
    onLost: (err) => log.warn({ err }, 'worker lock lost'),
  });

  async function lookAfter(): Promise<void> {
    const { isKnown, isQuiet, hasDead } = await look(lockKey, own);
    if (isKnown) {
      if (isQuiet) await beat(lockKey);
      await followDatabaseClock(tables.times);
      if (hasDead) await sweep(lockKey, own, tables.turns);
      return;
    }
    clearInterval(timer);
    if (!released) onGivenUp();
    released = true;
  }

  try {
    await followDatabaseClock(tables.times);
    await sweep(lockKey, own, tables.turns);
  } catch (error) {
    // The lock of a process that does no work would keep its row alive.
    await session.end();
    throw error;
  }
  const timer = setInterval(() => {
    lookAfter().catch((error) => log.warn({ err: error }, 'sweep of dead workers failed'));
  }, SWEEP_INTERVAL_MS);

  return {
    key: lockKey,
    async release() {
      released = true;
      clearInterval(timer);
      await db().workerProcess.deleteMany({ where: { lockKey } });
      await session.end();
    },
  };
}

async function takeLock(client: pg.Client, lockKey: number): Promise<void> {
  // A host that lost power does not close its connections; let PostgreSQL find that out within a minute.
  await client.query(
    'set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 4',
  );
  await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lockKey]);
}

/** Records that this process makes progress. A record lost in a crash is made up for by the next. */
async function beat(lockKey: number): Promise<void> {
  await db().$executeRaw`
    update worker_process set beat_at = now()
    where lock_key = ${lockKey} and ${COMMITS_ASYNCHRONOUSLY}`;
}

const isDead = (ownLockKey: number) => Prisma.sql`(lock_key <> ${ownLockKey}
  and started_at < now() - ${STARTING_SECONDS} * interval '1 second' and not ${IS_WORKING})`;

// Workers of processes that died before they could register their ids.
const UNKNOWN_WORKERS = Prisma.sql`
  (${LONG_LOCKED})
  except
  select unnest(worker_ids) from worker_process`;

interface Look {
  /** Whether the other processes still count on this one. */
  isKnown: boolean;
  /** Whether it has recorded no progress for a while. */
  isQuiet: boolean;
  /** Whether there is anything to clean up. */
  hasDead: boolean;
}

/** Reads in one statement everything that decides what has to be written. */
async function look(ownLockKey: number, own: OwnJobs): Promise<Look> {
  const { text, values } = Prisma.sql`
    select own.lock_key is not null as "isKnown",
      own.beat_at < now() - ${BEAT_SECONDS} * interval '1 second' as "isQuiet",
      exists (select 1 from worker_process where ${isDead(ownLockKey)})
        or exists (${UNKNOWN_WORKERS})
        or exists (${lostJobsSql(own)})
        or exists (${IDLE_QUEUES})
        or exists (${REPLACED_JOBS}) as "hasDead"
    from (values (1)) as one left join worker_process own on own.lock_key = ${ownLockKey}`;
  const { rows } = await databasePool().query<Look>({ name: 'look-after-workers', text, values });
  return rows[0] as Look;
}

const freedSql = (table: string) => Prisma.raw(`select name from freed_${table}`);

const NO_TURNS = Prisma.sql`freed_none as (select ''::text as name where false)`;

const freeTurnsSql = (table: string) =>
  Prisma.raw(`
    freed_${table} as (
      update ${table} set leased_until = '-infinity', leased_by = null
      where leased_by in (select lock_key from dead) returning '${table}' as name
    )`);

/**
 * Deletes the rows of worker processes whose lock is free or that make no progress, and frees the jobs and turns that
 * no living process works, and jobs that this process was given without hearing of it.
 */
async function sweep(ownLockKey: number, own: OwnJobs, turns: ProductTables['turns']): Promise<void> {
  const names = Object.values(turns);
  await db().$executeRaw`
    with dead as (
      delete from worker_process where ${isDead(ownLockKey)} returning worker_ids, lock_key
    ), ${Prisma.join([NO_TURNS, ...names.map(freeTurnsSql)])}, rung as (
      select pg_notify('pagewire_turns', name) from (${Prisma.join(['none', ...names].map(freedSql), ' union ')}) freed
    )
    select (select count(*) from rung),
      graphile_worker.force_unlock_workers(array(select unnest(worker_ids) from dead))`;
  await db().$executeRaw`select graphile_worker.force_unlock_workers(array(${UNKNOWN_WORKERS}))`;
  await db().$executeRaw`
    select count(*) from graphile_worker.complete_jobs(array(${REPLACED_JOBS}))`;
  await freeLostJobs(own);
  await freeIdleQueues();
}
