import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pagePool } from '@/lib/db/database';
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
