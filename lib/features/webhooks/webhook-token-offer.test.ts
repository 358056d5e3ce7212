import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hash } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { TestProduct } from '@/lib/testing/product';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { webhookSignature } from '../../../sandbox/notion/webhooks/webhook-signature';
import { receiveNotionWebhook } from './receive-webhook';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

let lines: string[];
beforeEach(async () => {
  lines = [];
  vi.spyOn(log, 'warn').mockImplementation((line: unknown) => void lines.push(String(line)));
  await aMinuteLater();
});
afterEach(() => vi.restoreAllMocks());

const TOKEN = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl';
const aMinuteLater = () =>
  db().$executeRaw`update rate_limit set blocked_until = blocked_until - interval '1 minute'`;

async function offer(token: string): Promise<number> {
  const body = JSON.stringify({ verification_token: token });
  return (await postToNotionDoor(product, body, webhookSignature(body, token))).status;
}

/** Imports another copy of a module, which acts like another process on the same database. */
let processes = 0;
function importCopy(name: string) {
  processes += 1;
  return import(/* @vite-ignore */ `${import.meta.dirname}/${name}.ts?process=${processes}`);
}

/** Offers a token to a process that remembers nothing of the others. */
async function offerToAnotherProcess(token: string): Promise<void> {
  const body = JSON.stringify({ verification_token: token });
  const other: typeof import('./webhook-token-offer') = await importCopy('webhook-token-offer');
  const headers = new Headers({ 'x-notion-signature': webhookSignature(body, token) });
  expect(await other.showOfferedToken(body, headers)).toBe(true);
}

test('an offered token is logged once a minute, with when it may be used', async () => {
  expect(await offer(TOKEN)).toBe(200);
  expect(await offer('secret_another')).toBe(200);
  expect(lines).toEqual([
    `Notion, or anybody else, offers a webhook token. Use it only while you create the Notion subscription yourself: enter it there, and when Notion accepts it set NOTION_WEBHOOK_TOKEN=${TOKEN}`,
  ]);
  await aMinuteLater();
  await offer('secret_another');
  expect(lines).toHaveLength(2);
});

test('all processes together log one line a minute', async () => {
  await offer(TOKEN);
  await Promise.all(['secret_b', 'secret_c', 'secret_d'].map(offerToAnotherProcess));
  expect(lines).toHaveLength(1);
  await aMinuteLater();
  await Promise.all(['secret_b', 'secret_c', 'secret_d'].map(offerToAnotherProcess));
  expect(lines).toHaveLength(2);
});

describe('a token of the wrong form is not logged', () => {
  test.each([
    ['too long', `secret_${'a'.repeat(94)}`],
    ['with a line of its own', 'secret_a\nNOTION_WEBHOOK_TOKEN=secret_b'],
    ['that colours the terminal', 'secret_\u001b[31m'],
    ['with other letters', 'secret_аbc'],
    ['without its beginning', 'abcdef'],
    ['without anything after its beginning', 'secret_'],
    ['that a shell would carry out', 'secret_$(reboot)'],
  ])('%s', async (_, token) => {
    expect(await offer(token)).toBe(401);
    expect(lines).toEqual([]);
  });

  test.each([
    ['of a hundred characters', `secret_${'a'.repeat(93)}`],
    ['in base64', 'secret_a+b/c=='],
    ['in base64url', 'secret_a-b_c'],
  ])('but one %s is', async (_, token) => {
    expect(await offer(token)).toBe(200);
    expect(lines).toHaveLength(1);
  });
});

test.each(['page.created', 'comment.created'])(
  'after the first event, also a %s, no process logs an offered token',
  async (type) => {
    const token = `secret_of${type}`;
    env().NOTION_WEBHOOK_TOKEN = token;
    await db().provenWebhookToken.deleteMany();
    await receiveNotionWebhook(JSON.stringify({ verification_token: 'secret_configured' }));
    expect(await db().provenWebhookToken.count()).toBe(0);
    const event = () => JSON.stringify({ ...notionEvent({ pageId: randomUUID() }), type });
    for (const _ of [1, 2]) await receiveNotionWebhook(event());
    expect(await db().provenWebhookToken.findMany()).toMatchObject([{ tokenHash: hash(token) }]);
    expect(await offer(TOKEN)).toBe(200);
    await offerToAnotherProcess(TOKEN);
    expect(lines).toEqual([]);
  },
);

test('what stands in the guide for a missing token signs nothing, and offered tokens are still logged', async () => {
  env().NOTION_WEBHOOK_TOKEN = 'secret_none';
  await db().provenWebhookToken.deleteMany();
  const event = JSON.stringify(notionEvent({ pageId: randomUUID() }));
  const forged = await postToNotionDoor(product, event, webhookSignature(event, 'secret_none'));
  expect(forged.status).toBe(401);
  expect(await db().provenWebhookToken.count()).toBe(0);
  expect(await offer(TOKEN)).toBe(200);
  expect(lines).toHaveLength(1);
});

test('a process that has received no event itself logs nothing either', async () => {
  // A process remembers only that the configured token is proven; about another token it asks the database.
  const configured = env();
  configured.NOTION_WEBHOOK_TOKEN = 'secret_ofAnotherSubscription';
  expect(await offer(TOKEN)).toBe(200);
  expect(lines).toHaveLength(1);
  await aMinuteLater();
  await db().provenWebhookToken.create({ data: { tokenHash: hash(configured.NOTION_WEBHOOK_TOKEN) } });
  expect(await offer(TOKEN)).toBe(200);
  expect(lines).toHaveLength(1);
});
