import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession, currentAccessToken } from '@/lib/auth/session-tokens';
import { db } from '@/lib/db/database';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

const SLOW_MS = 20_000;
const SERVICES = ['identity', 'stripe', 'notion'] as const;

let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
  await story.product.call('jonas', 'GET', '/api/app/me');
});
afterAll(() => story.product.stop());

/** Notes which calls have been answered. */
class Waiting {
  readonly answered: string[] = [];

  add(name: string, answer: Promise<unknown>): void {
    const note = () => void this.answered.push(name);
    answer.then(note, note);
  }

  count(wanted: string): number {
    return this.answered.filter((name) => name === wanted).length;
  }
}

test('while Stripe, Notion and the identity provider hang, another account is answered before any of their callers', async () => {
  const { product, board } = story;
  const { faults } = product.sandbox.context;
  const sessions = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const { id } = await db().account.findFirstOrThrow({ where: { discordUserId: '208917000000000101' } });
      return createSession(id, { accessToken: 'old', refreshToken: 'spent' }, new Date());
    }),
  );
  for (const target of SERVICES) {
    const match = target === 'identity' ? 'POST /oauth/token' : undefined;
    faults.add({ target, kind: 'slow', match, times: 0, status: 500, delayMs: SLOW_MS });
  }

  const waiting = new Waiting();
  const properties = `/api/app/notion/databases/${board.dataSourceId}/properties`;
  for (const session of sessions) waiting.add('renewal', currentAccessToken(session));
  const checkouts = Array.from({ length: 20 }, () =>
    product.call('mira', 'POST', '/api/app/billing/create-checkout-session'),
  );
  for (const checkout of checkouts) waiting.add('checkout', checkout);
  for (let count = 0; count < 20; count += 1)
    waiting.add('properties', product.call('mira', 'GET', properties));
  const hitsOf = (target: string) => faults.list().find((fault) => fault.target === target)?.hits ?? 0;
  await eventually(async () => SERVICES.every((target) => hitsOf(target) > 0));
  await eventually(async () => hitsOf('identity') === sessions.length);

  for (let count = 0; count < 5; count += 1) {
    expect((await product.call('jonas', 'GET', '/api/app/me')).status).toBe(200);
    expect((await product.call(null, 'GET', '/api/health')).body).toMatchObject({ database: 'ok' });
  }
  expect(waiting.answered.filter((name) => name !== 'checkout')).toEqual([]);
  expect(hitsOf('stripe')).toBe(1);

  // All tabs but the first are told at once that another one is waiting for the answer.
  await eventually(async () => waiting.count('checkout') >= checkouts.length - 1);
  const told = await Promise.race(checkouts);
  expect(told).toMatchObject({
    status: 409,
    body: { error: 'A checkout is being opened. Try again in a minute.' },
  });
  expect((await product.call('mira', 'GET', '/api/app/me')).status).toBe(200);
});
