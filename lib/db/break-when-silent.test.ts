import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { movableAddress } from '@/lib/testing/movable-address';
import { freePort } from '../../scripts/port';
import { breakWhenSilent } from './break-when-silent';
import { isBackendGone, learnBackend } from './own-backend';

const SILENCE_MS = 100;
// Waits as long as `holder` has the lock.
const LONG_STATEMENT = 'select 1 as done from pg_advisory_xact_lock(1)';
const WAITS = "wait_event = 'advisory' and datname = current_database()";

let database: TestDatabase;
let address: Awaited<ReturnType<typeof movableAddress>>;
let holder: pg.Client;
let pool: pg.Pool;
let onAnswer: () => void;

beforeEach(async () => {
  database = await createTestDatabase();
  const url = new URL(database.url);
  address = await movableAddress(Number(url.port));
  url.port = String(address.port);
  holder = new pg.Client(database.url);
  await holder.connect();
  await holder.query('select pg_advisory_lock(1)');
  pool = new pg.Pool({ connectionString: url.href, application_name: 'idler', onConnect: learnBackend });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  onAnswer = () => {};
  breakWhenSilent(pool, SILENCE_MS, async (client) => {
    const isGone = await isBackendGone(url.href, client);
    onAnswer();
    return isGone;
  });
});
afterEach(async () => {
  await Promise.all([pool.end(), holder.end()]);
  address.close();
  await database.drop();
});

test('a statement may take as long as it needs while its backend lives', async () => {
  let answers = 0;
  onAnswer = () => {
    answers += 1;
    if (answers === 3) void holder.query('select pg_advisory_unlock(1)');
  };
  const { rows } = await pool.query(LONG_STATEMENT);
  expect(rows).toEqual([{ done: 1 }]);
  expect(answers).toBeGreaterThanOrEqual(3);
});

test('a statement whose backend is gone without a word fails, and the next one works', async () => {
  // The connection has been idle for longer before.
  await pool.query('select 1');
  await idleFor(SILENCE_MS);
  const statement = pool.query(LONG_STATEMENT);
  await expect.poll(waiting).toBe(1);
  address.loseHost();
  await holder.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITS}`);
  await expect(statement).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect((await pool.query('select 1 as done')).rows).toEqual([{ done: 1 }]);
});

test('a backend counts as gone when nobody answers, but not when the server refuses to tell', async () => {
  const client = await pool.connect();
  const [nobody, stranger] = [new URL(database.url), new URL(database.url)];
  nobody.port = String(await freePort());
  stranger.pathname = '/missing';
  expect(await isBackendGone(database.url, client)).toBe(false);
  expect(await isBackendGone(nobody.href, client)).toBe(true);
  expect(await isBackendGone(stranger.href, client)).toBe(false);
  client.release();
});

async function idleFor(ms: number): Promise<void> {
  const idle = `select 1 from pg_stat_activity where application_name = 'idler' and state = 'idle'
    and state_change < clock_timestamp() - ${2 * ms} * interval '1 millisecond'`;
  await expect.poll(async () => (await holder.query(idle)).rowCount).toBe(1);
}

async function waiting(): Promise<number> {
  const { rowCount } = await holder.query(`select 1 from pg_stat_activity where ${WAITS}`);
  return rowCount ?? 0;
}
