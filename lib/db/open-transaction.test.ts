import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { discordRequest } from '@/lib/integrations/discord/discord-request';
import { callHttp } from '@/lib/integrations/http-call';
import { discover } from '@/lib/integrations/identity/identity-provider';
import { notionClient } from '@/lib/integrations/notion/notion-request';
import { stripe } from '@/lib/integrations/stripe/stripe-client';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());

const get = () =>
  callHttp(product.sandbox.context.urls.stripe, {
    service: 'stripe',
    method: 'GET',
    headers: {},
    timeoutMs: 5000,
    maxBytes: 1 << 20,
  });

test.each<[string, () => unknown]>([
  ['Stripe', () => stripe().customers.list()],
  ['Notion', () => notionClient('token').users.me({})],
  ['Discord', () => discordRequest('GET', '/users/@me')],
  ['the identity provider', () => discover()],
  ['anybody', get],
])('a call to %s within a transaction fails before it is made', async (_, call) => {
  await expect(transaction(async () => call())).rejects.toThrow(/within a transaction/);
  const inner = transaction(async (tx) => {
    await tx.account.count();
    await Promise.resolve().then(call);
  });
  await expect(inner).rejects.toThrow(/within a transaction/);
});

test('calls are made outside a transaction, and by work that outlives the one it was started in', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let later: Promise<unknown> | undefined;
  const open = transaction(async (tx) => {
    await tx.account.count();
    later = held.then(async () => {
      await open;
      return get();
    });
    await new Promise((resolve) => setImmediate(resolve));
  });
  await expect(get()).resolves.toMatchObject({ status: expect.any(Number) });
  await open;
  release();
  await expect(later).resolves.toMatchObject({ status: expect.any(Number) });
  expect(await db().account.count()).toBe(0);
});
