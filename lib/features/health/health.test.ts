import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { databasePool, db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { TestProduct } from '@/lib/testing/product';
import { readMetrics } from './read-metrics';

const READS_AND_WRITES = '-c default_transaction_read_only=off';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

const health = () => product.call(null, 'GET', '/api/health');
/** Waits until no earlier answer is reused. */
const later = () => wait(2100);

test('the row of a dead worker does not count as a worker', async () => {
  await db().$executeRaw`insert into worker_process (worker_ids) values ('{}')`;
  expect(await health()).toMatchObject({
    status: 200,
    body: { status: 'degraded', database: 'ok', worker: 'none', queue: { due: expect.any(Number) } },
  });
  await product.work();
  await later();
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', worker: 'running' } });
  await product.rest();
});

test('a job that was given up does not count as one that is tried again', async () => {
  const failing = async () => (await health()).body.queue.failing;
  await later();
  const before = await failing();
  const [{ id }] = await db().$queryRaw<[{ id: string }]>`
    select id::text from graphile_worker.add_job('nothing', run_at => now() + interval '1 hour', max_attempts => 2)`;
  const tried = (attempts: number) =>
    db()
      .$executeRaw`update graphile_worker._private_jobs set attempts = ${attempts} where id = ${id}::bigint`;
  await tried(1);
  await later();
  expect(await failing()).toBe(before + 1);
  await tried(2);
  await later();
  expect(await failing()).toBe(before);
});

test('many calls at once ask the database once', async () => {
  await later();
  const blocker = new Client({ connectionString: env().DATABASE_URL });
  await blocker.connect();
  await blocker.query('begin; lock table worker_process in access exclusive mode');
  const waiting = async () => {
    const { rows } = await databasePool().query(`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%oldestDueSeconds%'`);
    return rows[0].waiting;
  };
  const answers = Array.from({ length: 50 }, health);
  await expect.poll(waiting).toBe(1);
  await expect(Promise.race([...answers, wait(500)])).resolves.toBe(undefined);
  expect(await waiting()).toBe(1);
  await blocker.query('rollback');
  await blocker.end();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(50).fill(200));
});

test('a process is ready once all migrations are applied, and until it ends', async () => {
  const ready = () => product.call(null, 'GET', '/api/health/ready');
  await db().$executeRaw`
    update _prisma_migrations set finished_at = null
    where migration_name = (select max(migration_name) from _prisma_migrations)`;
  expect(await ready()).toMatchObject({ status: 503, body: { ready: false, reason: 'migrations' } });
  await db().$executeRaw`update _prisma_migrations set finished_at = now() where finished_at is null`;
  await later();
  expect(await ready()).toMatchObject({ status: 200, body: { ready: true, reason: null } });
  const own = { doors: new Map(), endings: [], peerHeader: 'x-peer', isEnding: true, readyAskedAt: 0 };
  vi.stubGlobal('pagewireServer', own);
  expect(await ready()).toMatchObject({ status: 503, body: { ready: false, reason: 'ending' } });
  expect(own.readyAskedAt).toBeGreaterThan(0);
  vi.unstubAllGlobals();
});

test('an answer is no older than two seconds, also when the clock is set back', async () => {
  await later();
  const { body: before } = await health();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3600_000 });
  try {
    await db().$executeRaw`select graphile_worker.add_job('nothing')`;
    await later();
    expect((await health()).body.queue.due).toBe(before.queue.due + 1);
  } finally {
    vi.useRealTimers();
  }
});

test('a process whose database only reads is not ready and fails, and recovers without a restart', async () => {
  const database = new Client({ connectionString: env().DATABASE_URL, options: READS_AND_WRITES });
  await database.connect();
  const { rows } = await database.query('select current_database() as name');
  const setting = `alter database ${rows[0].name} %s default_transaction_read_only`;
  const others = 'pid <> pg_backend_pid() and datname = current_database()';
  await database.query(`${setting.replace('%s', 'set')} = on`);
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  const answers = async () => [
    await product.call(null, 'GET', '/api/health/ready'),
    await health(),
    await readMetrics(),
  ];
  const failing = [{ status: 503, body: { reason: 'database' } }, { status: 503 }];
  await later();
  expect(await answers()).toMatchObject([...failing, expect.stringMatching(/^pagewire_database_up 0$/m)]);
  await database.query(setting.replace('%s', 'reset'));
  await database.end();
  await later();
  expect((await answers()).slice(0, 2)).toMatchObject([{ status: 200 }, { status: 200 }]);
});
