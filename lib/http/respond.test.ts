import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databasePool, pagePool } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
  await product.call('mira', 'GET', '/api/app/me');
});
afterAll(() => product.stop());

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
