import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { db } from '@/lib/db/database';
import { COMPLETE_ENVIRONMENT } from '@/lib/testing/complete-environment';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { defineJob } from './define-job';
import { enqueue } from './enqueue';
import { holdWorkerLock, type WorkerLock } from './worker-lock';

let database: TestDatabase;
let held: WorkerLock[] = [];
let givenUp = 0;
/** The jobs that the processes say they run. */
let running: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, value] of Object.entries(COMPLETE_ENVIRONMENT)) vi.stubEnv(name, value);
  vi.stubEnv('DATABASE_URL', database.url);
});
afterEach(async () => {
  await Promise.all(held.map((lock) => lock.release()));
  held = [];
  givenUp = 0;
  running = [];
  await db().workerProcess.deleteMany();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await db().$executeRaw`delete from graphile_worker._private_job_queues`;
});
afterAll(async () => {
  const { closeDatabase } = await import('@/lib/db/database');
  await closeDatabase();
  await database.drop();
});

async function hold(...workerIds: string[]): Promise<WorkerLock> {
  const own = { poolIds: workerIds, running: () => running };
  const lock = await holdWorkerLock(own, { times: [], turns: {} }, () => {
    givenUp += 1;
  });
  held.push(lock);
  return lock;
}

const job = defineJob({
  name: 'a-job',
  payload: z.object({ workerId: z.string() }),
  key: ({ workerId }) => workerId,
});

/** Adds a job, alone in its queue, that a worker took ten seconds ago. */
async function takenBy(workerId: string): Promise<void> {
  await enqueue(db(), job, { workerId }, { accountId: null });
  const jobs = await db().$queryRaw<{ id: bigint }[]>`
    update graphile_worker._private_jobs set locked_by = ${workerId}, locked_at = now() - interval '10 seconds'
    where key = ${workerId} returning id`;
  running.push(...jobs.map(({ id }) => String(id)));
  await db().$executeRaw`
    update graphile_worker._private_job_queues set locked_by = ${workerId}, locked_at = now() - interval '10 seconds'
    where queue_name = ${workerId}`;
}

async function stillTaken(): Promise<string[]> {
  const rows = await db().$queryRaw<{ key: string }[]>`
    select j.key from graphile_worker._private_jobs j
    join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    where j.locked_by is not null and q.locked_by is not null order by j.key`;
  return rows.map(({ key }) => key);
}

const processes = async () => (await db().workerProcess.findMany()).flatMap(({ workerIds }) => workerIds);
const started = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000);

test('a process that starts frees the jobs of unknown workers, and of no others', async () => {
  await hold('living');
  await takenBy('living');
  await takenBy('unknown');
  await hold('starting');
  expect(await stillTaken()).toEqual(['living']);
});

test('a job that a newer one replaced while it ran leaves no row when its worker dies', async () => {
  await db().workerProcess.create({ data: { workerIds: ['dead'], startedAt: started(5) } });
  await takenBy('dead');
  await enqueue(db(), job, { workerId: 'dead' }, { accountId: null });
  await hold('starting');
  const jobs = await db().$queryRaw<{ attempts: number }[]>`select attempts from graphile_worker.jobs`;
  expect(jobs).toEqual([{ attempts: 0 }]);
});

test('the row of a process that died is deleted, and its jobs are freed', async () => {
  await db().workerProcess.create({ data: { workerIds: ['dead'], startedAt: started(5) } });
  await takenBy('dead');
  await hold('starting');
  expect(await stillTaken()).toEqual([]);
  expect(await processes()).toEqual(['starting']);
});

test('a process that has only just registered keeps its jobs', async () => {
  await db().workerProcess.create({ data: { workerIds: ['young'] } });
  await takenBy('young');
  await hold('starting');
  expect(await stillTaken()).toEqual(['young']);
});

test('a running process finds out by itself that another died', async () => {
  await hold('living');
  await db().workerProcess.create({ data: { workerIds: ['dead'], startedAt: started(5) } });
  await takenBy('dead');
  await takenBy('living');
  await expect.poll(stillTaken).toEqual(['living']);
});

test('a job that a running process was given without hearing of it is freed', async () => {
  await hold('living');
  await takenBy('living');
  running = [];
  await expect.poll(stillTaken).toEqual([]);
});

/**
 * Adds a process that holds its lock and last reported progress this many minutes ago; null for one of an older
 * release, which never does.
 */
async function lives(workerId: string, movedMinutesAgo: number | null): Promise<pg.Client> {
  const beatAt = movedMinutesAgo === null ? null : started(movedMinutesAgo);
  const { lockKey } = await db().workerProcess.create({
    data: { workerIds: [workerId], startedAt: started(60), beatAt },
  });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('select pg_advisory_lock(7203115, $1)', [lockKey]);
  return client;
}

test('a live process without progress for five minutes loses its jobs, and no other does', async () => {
  const clients = await Promise.all([lives('hanging', 5.1), lives('slow', 4.5), lives('older', null)]);
  for (const workerId of ['hanging', 'slow', 'older']) await takenBy(workerId);
  await hold('starting');
  expect(await stillTaken()).toEqual(['older', 'slow']);
  expect((await processes()).sort()).toEqual(['older', 'slow', 'starting']);
  await Promise.all(clients.map((client) => client.end()));
});

test('a process records its progress, and learns once that the others have given it up', async () => {
  await hold('moving');
  await db().workerProcess.updateMany({ data: { beatAt: started(4) } });
  const hasMoved = async () => (await db().workerProcess.findFirstOrThrow()).beatAt ?? new Date(0);
  await expect.poll(hasMoved).toSatisfy((at: Date) => at > started(1));
  expect(givenUp).toBe(0);
  await db().workerProcess.deleteMany();
  await expect.poll(() => givenUp).toBe(1);
});

test('a queue continues after its job was finished late by a worker that had lost it', async () => {
  await hold('living');
  await takenBy('living');
  await db().$executeRaw`delete from graphile_worker._private_jobs where key = 'living'`;
  await takenBy('other');
  await db().workerProcess.create({ data: { workerIds: ['other'] } });
  await hold('starting');
  const queues = await db().$queryRaw<{ name: string }[]>`
    select queue_name as name from graphile_worker._private_job_queues where locked_by is not null`;
  expect(queues).toEqual([{ name: 'other' }]);
});

test('a process that is stopped leaves nothing behind', async () => {
  const lock = await hold('stopping');
  await lock.release();
  held = [];
  expect(await processes()).toEqual([]);
});

test('a living process that lost its connection takes its lock again', async () => {
  await hold('living');
  const lockedBy = async () => {
    const rows = await db().$queryRaw<{ pid: number }[]>`
      select pid from pg_locks where locktype = 'advisory' and granted and classid = 7203115
        and database = (select oid from pg_database where datname = current_database())`;
    return rows.map(({ pid }) => pid);
  };
  const [before] = await lockedBy();
  await db().$queryRaw`select pg_terminate_backend(${before}::int)`;
  const isBack = async () => {
    const now = await lockedBy();
    return now.length === 1 && now[0] !== before;
  };
  await expect.poll(isBack).toBe(true);
  await takenBy('living');
  await hold('starting');
  expect(await stillTaken()).toEqual(['living']);
});
