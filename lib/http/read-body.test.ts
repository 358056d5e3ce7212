import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestProduct } from '@/lib/testing/product';
import { RawCall } from '@/lib/testing/raw-call';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

const LIMIT = 256 * 1024;
const NOTION = { 'x-notion-signature': 'sha256=none' };
const DOORS: [string, Record<string, string>][] = [
  ['/api/notion/webhook', NOTION],
  ['/api/stripe/webhook', { 'stripe-signature': 'none' }],
  ['/api/discord/interactions', { 'x-signature-ed25519': 'none' }],
  ['/api/discord/events', { 'x-signature-ed25519': 'none' }],
];
const TOO_LARGE = { error: 'The request is larger than 262144 bytes.', code: 'too_large' };

describe.each(DOORS)('the door %s', (path, headers) => {
  test('reads 256 kB, and nothing of a body that declares itself larger', async () => {
    const post = (bytes: number) =>
      fetch(product.url + path, { method: 'POST', headers, body: 'x'.repeat(bytes) });
    expect((await post(LIMIT)).status).toBe(401);
    const answer = await new RawCall(product.url).post(path, { ...headers, 'content-length': LIMIT + 1 })
      .closed;
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toEqual(TOO_LARGE);
  });

  test('gives up a body of undeclared length once it is too large', async () => {
    const call = new RawCall(product.url).post(path, { ...headers, 'transfer-encoding': 'chunked' });
    const answer = await call.write(`${(LIMIT + 1).toString(16)}\r\n${'x'.repeat(LIMIT + 1)}\r\n`).closed;
    expect(answer.status).toBe(413);
  });

  test('reads nothing of a body without a signature header', async () => {
    const call = new RawCall(product.url).post(path, { 'content-length': LIMIT });
    await expect.poll(() => call.answer().status).toBe(401);
    call.end();
  });
});

test('a body that is not complete within 15 seconds is answered, and its connection closed', async () => {
  const bearer = await product.bearer('mira');
  const slow = [
    new RawCall(product.url).post('/api/notion/webhook', { ...NOTION, 'content-length': 100 }),
    new RawCall(product.url).post('/api/notion/webhook', { ...NOTION, 'transfer-encoding': 'chunked' }),
    new RawCall(product.url).post('/api/app/rules', {
      authorization: `Bearer ${bearer}`,
      'content-length': 100,
    }),
  ];
  for (const call of slow) call.write('5\r\nhello\r\n');
  for (const call of slow) {
    const { status, head, body } = await call.closed;
    expect(status).toBe(408);
    expect(head.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(body)).toEqual({
      error: 'The request took longer than 15 seconds to arrive.',
      code: 'too_slow',
    });
  }
});

test('bodies that never end hold no more than 16 MB, and one that does end is answered meanwhile', async () => {
  const bytes = 250 * 1024;
  const calls = Array.from({ length: 400 }, () =>
    new RawCall(product.url)
      .post('/api/notion/webhook', { ...NOTION, 'content-length': bytes })
      .write('x'.repeat(bytes - 1)),
  );
  const refused = () => calls.map((call) => call.answer()).filter(({ status }) => status === 503);
  const room = Math.floor((16 * 1024 * 1024) / bytes);
  await expect.poll(() => refused().length).toBe(calls.length - room);
  const event = JSON.stringify(notionEvent({ pageId: randomUUID() }));
  expect((await postToNotionDoor(product, event)).status).toBe(200);

  const [first] = refused();
  expect(first?.head.toLowerCase()).toContain('retry-after: 1');
  expect(JSON.parse(first?.body ?? '')).toMatchObject({ code: 'overloaded' });
  for (const call of calls) call.end();
});
