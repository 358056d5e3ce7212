import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, db, Prisma, pagePool, runStatement } from '@/lib/db/database';
import { toBusyError } from '@/lib/errors';
import { createTestDatabase } from '@/lib/testing/database';
import { movableAddress } from '@/lib/testing/movable-address';
import { TestProduct } from '@/lib/testing/product';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { freePort } from '../../scripts/port';

let product: TestProduct;
let address: Awaited<ReturnType<typeof movableAddress>>;
let home: URL;
beforeAll(async () => {
  const database = await createTestDatabase();
  home = new URL(database.url);
  address = await movableAddress(Number(home.port));
  const url = new URL(home);
  url.port = String(address.port);
  product = await TestProduct.start({ url: url.href, drop: database.drop });
  await product.call('mira', 'GET', '/api/app/me');
});
afterAll(async () => {
  await product.stop();
  address.close();
});

const BUSY = {
  status: 503,
  body: { code: 'unavailable', error: 'Too much is going on right now. Try again in a few seconds.' },
};

test('a call that gets no database connection is told when to retry, and the doors do not wait for it', async () => {
  const held = await Promise.all(Array.from({ length: 10 }, () => pagePool().connect()));
  try {
    const answer = await product.call('mira', 'GET', '/api/app/me');
    expect(answer).toMatchObject(BUSY);
    expect(answer.headers.get('retry-after')).toBe('5');
    const body = JSON.stringify({ verification_token: 'secret_1' });
    const headers = { 'content-type': 'application/json' };
    const knock = await fetch(`${product.url}/api/notion/webhook`, { method: 'POST', body, headers });
    expect(knock.status).toBeLessThan(500);
  } finally {
    for (const connection of held) connection.release();
  }
  expect((await product.call('mira', 'GET', '/api/app/me')).status).toBe(200);
});

test('a call for a locked row is refused instead of waiting indefinitely', async () => {
  const other = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
  await other.connect();
  await other.query('begin');
  await other.query('select 1 from account for update');
  try {
    const answer = await product.call('mira', 'DELETE', '/api/app/account');
    expect(answer).toMatchObject(BUSY);
    expect(answer.headers.get('retry-after')).toBe('5');
  } finally {
    await other.end();
  }
  expect((await product.call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
});

test('a call that would wait forever for another one is refused, and can be made again', async () => {
  await product.call('jonas', 'GET', '/api/discord/bot-install/url');
  const other = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
  await other.connect();
  // Lets the call, not this connection, detect the deadlock.
  await other.query("begin; set local deadlock_timeout = '1min'; select 1 from oauth_state for update");
  try {
    const answer = product.call('jonas', 'DELETE', '/api/app/account');
    const stuck =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await expect.poll(async () => (await databasePool().query(stuck)).rowCount, { interval: 20 }).toBe(1);
    const lock = other.query('select 1 from account for update');
    expect(await answer).toMatchObject(BUSY);
    await lock;
  } finally {
    await other.end();
  }
  expect((await product.call('jonas', 'DELETE', '/api/app/account')).status).toBe(200);
});

/** What a signed webhook, a page's reading and a page's writing are answered. */
async function statuses(): Promise<number[]> {
  const webhook = await postToNotionDoor(product, JSON.stringify(notionEvent({ pageId: randomUUID() })));
  const calls = [
    await product.call('mira', 'GET', '/api/app/me'),
    await product.call('mira', 'POST', '/api/app/setup/connect-notion', { returnTo: '/setup' }),
  ];
  const answers = [webhook, ...calls];
  for (const { status, headers } of answers) if (status === 503) expect(headers.get('retry-after')).toBe('5');
  return answers.map(({ status }) => status);
}

test('while PostgreSQL lets nobody in, calls are told when to retry', async () => {
  const others = new URL(home);
  others.pathname = '/postgres';
  const server = new pg.Client(others.href);
  await server.connect();
  const letIn = (isLet: boolean) =>
    server.query(`alter database ${home.pathname.slice(1)} allow_connections ${isLet}`);
  await letIn(false);
  address.moveTo(Number(home.port));
  expect(await statuses()).toEqual([503, 503, 503]);
  await letIn(true);
  await server.end();
  expect(await statuses()).toEqual([200, 200, 200]);
});

test('while the database is away, ends or is full, calls are told to come again', async () => {
  expect(await statuses()).toEqual([200, 200, 200]);
  address.moveTo(await freePort());
  expect(await statuses()).toEqual([503, 503, 503]);
  address.moveTo(Number(home.port));
  expect(await statuses()).toEqual([200, 200, 200]);
  for (const code of ['57P01', '57P02', '57P03', '53100', '53300', '08006', '25006']) {
    const failing = Prisma.raw(`do $$ begin raise exception 'away' using errcode = '${code}'; end $$`);
    for (const run of [() => runStatement(failing), () => db().$executeRaw(failing)]) {
      expect(toBusyError(await run().catch((error) => error))).toMatchObject({ status: 503 });
    }
  }
});

test('a host of the database that is lost without a word is given up, and its address is asked anew', async () => {
  address.moveTo(Number(home.port));
  expect(await statuses()).toEqual([200, 200, 200]);
  const host = new pg.Client(home.href);
  await host.connect();
  const job = databasePool()
    .query('select pg_sleep(600)')
    .catch((error) => error);
  const findJob = "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
  await expect.poll(async () => (await host.query(`select 1 ${findJob}`)).rowCount).toBe(1);
  address.loseHost();
  await host.query(`select pg_terminate_backend(pid) ${findJob}`);
  await host.end();
  const health = await product.call(null, 'GET', '/api/health');
  expect([health.status, health.body.database]).toEqual([503, 'failing']);
  await expect.poll(() => product.call(null, 'GET', '/api/health')).toMatchObject({ status: 200 });
  // Other connections of the doors may still be silent: what they carry is refused, and sent again.
  const event = JSON.stringify(notionEvent({ pageId: randomUUID() }));
  const send = async () => (await postToNotionDoor(product, event)).status;
  const first = await send();
  expect([200, 503]).toContain(first);
  await expect.poll(send).toBe(200);
  expect(await job).toMatchObject({ code: 'ETIMEDOUT' });
});
