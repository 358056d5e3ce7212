import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { db } from '../db/database';
import { env } from '../env';
import { log } from '../log';
import { followDatabaseClock } from './database-clock';

// The first half of our two-number advisory locks; the second is the worker process's own key.
export const LOCK_CLASS = 7_203_115;
const SWEEP_INTERVAL_MS = 3000;
const RECONNECT_DELAY_MS = 1000;

// Between a process's row and its lock, and between its first job and its row.
const STARTING_SECONDS = 2;
const UNKNOWN_SECONDS = 5;

export interface WorkerLock {
  /** What this process leases turns by. */
  key: number;
  release(): Promise<void>;
}

/**
 * Says that this process works jobs under these worker ids, for as long as it lives, and takes over the jobs
 * of processes that died. The queue itself would wait four hours before it gives a dead worker's job to
 * another; an advisory lock ends with its connection, so the death shows at once.
 */
export async function holdWorkerLock(workerIds: string[]): Promise<WorkerLock> {
  // Stamped by the database: the client would stamp it with the clock of this host.
  const [{ lockKey }] = await db().$queryRaw<[{ lockKey: number }]>`
    insert into worker_process (worker_ids) values (${workerIds}::text[]) returning lock_key as "lockKey"`;
  let released = false;
  let client = await takeLock(lockKey, onLost);

  async function onLost(): Promise<void> {
    while (!released) {
      await sleep(RECONNECT_DELAY_MS);
      try {
        client = await takeLock(lockKey, onLost);
        // Another process may have swept the row while the connection was down.
        await db().workerProcess.upsert({
          where: { lockKey },
          create: { lockKey, workerIds },
          update: { workerIds },
        });
        return;
      } catch (error) {
        log.warn({ err: error }, 'worker lock not regained yet');
      }
    }
  }

  await sweep(lockKey);
  const timer = setInterval(() => {
    sweep(lockKey).catch((error) => log.warn({ err: error }, 'sweep of dead workers failed'));
  }, SWEEP_INTERVAL_MS);

  return {
    key: lockKey,
    async release() {
      released = true;
      clearInterval(timer);
      await db().workerProcess.deleteMany({ where: { lockKey } });
      await client.end();
    },
  };
}

async function takeLock(lockKey: number, onLost: () => void): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: env().DATABASE_URL, keepAlive: true });
  let lost = false;
  client.on('error', () => {
    if (!lost) onLost();
    lost = true;
  });
  await client.connect();
  // A host that lost power does not close its connections; find out within a minute.
  await client.query(
    'set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 4',
  );
  await client.query('select pg_advisory_lock($1, $2)', [LOCK_CLASS, lockKey]);
  return client;
}

/** Forgets worker processes whose lock is free and frees the jobs and turns that no living process works. */
async function sweep(ownLockKey: number): Promise<void> {
  await followDatabaseClock();
  await db().$executeRaw`
    with dead as (
      delete from worker_process
      where lock_key <> ${ownLockKey}
        and started_at < now() - ${STARTING_SECONDS} * interval '1 second'
        and not exists (
          select 1 from pg_locks
          where locktype = 'advisory' and classid = ${LOCK_CLASS} and objid = lock_key::bigint
            and database = (select oid from pg_database where datname = current_database()))
      returning worker_ids, lock_key
    ), pages as (
      update page_turn set leased_until = '-infinity', leased_by = null
      where leased_by in (select lock_key from dead) returning 'page_turn' as name
    ), channels as (
      update channel_turn set leased_until = '-infinity', leased_by = null
      where leased_by in (select lock_key from dead) returning 'channel_turn' as name
    ), rung as (
      select pg_notify('pagewire_turns', name) from (select name from pages union select name from channels) freed
    )
    select (select count(*) from rung),
      graphile_worker.force_unlock_workers(array(select unnest(worker_ids) from dead))`;
  // A process that died before it could say under which ids it works.
  await db().$executeRaw`
    select graphile_worker.force_unlock_workers(array(
      select locked_by from graphile_worker.jobs where locked_at < now() - ${UNKNOWN_SECONDS} * interval '1 second'
      union
      select locked_by from graphile_worker._private_job_queues
      where locked_at < now() - ${UNKNOWN_SECONDS} * interval '1 second'
      except
      select unnest(worker_ids) from worker_process))`;
  // A running job whose key was enqueued again gives up its key and is never tried again: the newer job does
  // its work. When its worker dies, only the row is left.
  await db().$executeRaw`
    delete from graphile_worker._private_jobs
    where key is null and attempts >= max_attempts and locked_at is null`;
}
