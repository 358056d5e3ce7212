import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hash } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { TestProduct } from '@/lib/testing/product';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { webhookSignature } from '../../../sandbox/notion/webhooks/webhook-signature';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

let lines: string[];
beforeEach(() => {
  lines = [];
  vi.spyOn(log, 'warn').mockImplementation((line: unknown) => void lines.push(String(line)));
  vi.useFakeTimers({ toFake: ['Date'] });
  aMinuteLater();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const TOKEN = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';
let now = Date.now();
function aMinuteLater(): void {
  now += 60_000;
  vi.setSystemTime(now);
}

async function offer(token: string): Promise<number> {
  const body = JSON.stringify({ verification_token: token });
  return (await postToNotionDoor(product, body, webhookSignature(body, token))).status;
}

test('an offered token is shown in one line a minute, which says when it may be used', async () => {
  expect(await offer(TOKEN)).toBe(200);
  expect(await offer('secret_another')).toBe(200);
  expect(lines).toEqual([
    `Notion, or anybody else, offers a webhook token. Use it only while you create the Notion subscription yourself: enter it there, and when Notion accepts it set NOTION_WEBHOOK_TOKEN=${TOKEN}`,
  ]);
  aMinuteLater();
  await offer('secret_another');
  expect(lines).toHaveLength(2);
});

describe('nothing is shown of a token that has not the form of one', () => {
  test.each([
    ['too long', `secret_${'a'.repeat(94)}`],
    ['with a line of its own', 'secret_a\nNOTION_WEBHOOK_TOKEN=secret_b'],
    ['that colours the terminal', 'secret_\u001b[31m'],
    ['with other letters', 'secret_аbc'],
    ['without its beginning', 'abcdef'],
    ['without anything after its beginning', 'secret_'],
  ])('%s', async (_, token) => {
    expect(await offer(token)).toBe(401);
    expect(lines).toEqual([]);
  });

  test('a token of a hundred characters is logged', async () => {
    expect(await offer(`secret_${'a'.repeat(93)}`)).toBe(200);
    expect(lines).toHaveLength(1);
  });
});

test('the first event is noted for all processes, and nothing is shown from then on', async () => {
  const token = env().NOTION_WEBHOOK_TOKEN;
  expect(await offer(token)).toBe(200);
  expect(await db().provenWebhookToken.count()).toBe(0);
  for (const _ of [1, 2])
    await postToNotionDoor(product, JSON.stringify(notionEvent({ pageId: randomUUID() })));
  expect(await db().provenWebhookToken.findMany()).toMatchObject([{ tokenHash: hash(token) }]);
  expect(await offer(TOKEN)).toBe(200);
  expect(lines).toEqual([]);
});

test('a process that has received no event itself logs nothing either', async () => {
  // What a process remembers applies to the configured token; for another one it has to ask.
  const configured = env();
  configured.NOTION_WEBHOOK_TOKEN = 'secret_ofAnotherSubscription';
  expect(await offer(TOKEN)).toBe(200);
  expect(lines).toHaveLength(1);
  aMinuteLater();
  await db().provenWebhookToken.create({ data: { tokenHash: hash(configured.NOTION_WEBHOOK_TOKEN) } });
  expect(await offer(TOKEN)).toBe(200);
  expect(lines).toHaveLength(1);
});
