import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { freePort } from './port';
import { runNode } from './run-command';

const PAGE = 'Boss fight: ember golem';
const DAY_MS = 86_400_000;
// Each step starts a new process.
let pipeline: Pipeline;
let till: StripeSteps;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  till = new StripeSteps(product());
});
afterAll(() => product().stop());

const product = () => pipeline.story.product;

async function letPass(days: number, port = new URL(product().sandbox.context.urls.stripe).port) {
  return runNode(['--import', 'tsx', 'scripts/demo-clock.ts', `--days=${days}`, `--sandbox-port=${port}`]);
}

async function see() {
  const [me, billing, periods] = await Promise.all(
    ['me', 'billing', 'billing/periods'].map((path) => product().call('mira', 'GET', `/api/app/${path}`)),
  );
  return { me: me?.body, ...billing?.body, periods: periods?.body };
}

const daysLeft = (trialEndsAt: string) => Math.ceil((Date.parse(trialEndsAt) - Date.now()) / DAY_MS);

async function edit(status: string): Promise<void> {
  await pipeline.edit(PAGE, { Status: status });
  await till.drain();
}
const texts = async () => (await pipeline.cards()).map(({ content }) => content as string);
const cards = async () => (await pipeline.cards()).filter(({ embeds }) => embeds.length > 0);

test('a trial runs out, a subscription begins and its period turns, as the days pass', async () => {
  await product().work();
  await pipeline.prepare(PAGE, { Status: 'Backlog' });
  await pipeline.rule();
  await edit('In progress');
  expect(await cards()).toHaveLength(1);

  expect(await letPass(10)).toMatchObject({
    ok: true,
    output: expect.stringContaining('10 days have passed'),
  });
  const late = await see();
  expect(late.subscription).toMatchObject({ status: 'trial', isTrialActive: true });
  expect(daysLeft(late.subscription.trialEndsAt)).toBe(4);
  expect(late.usage.notificationsUsed).toBe(1);
  expect(late.me.subscription.notificationsByQuarter).toMatchObject([{ sent: 1 }]);

  await letPass(4);
  const over = await see();
  expect(over.subscription).toMatchObject({ status: 'trial', isTrialActive: false });
  await edit('In review');
  await eventually(async () => (await texts()).length === 2);
  expect((await texts())[1]).toMatch(/^1 notification was held back .* The trial has ended\./);
  // The next day the channel gets another notice about what has been held since.
  await edit('Done');
  expect(await texts()).toHaveLength(2);
  await letPass(1);
  await eventually(async () => (await texts()).length === 3);
  expect((await texts())[2]).toMatch(/^1 notification was held back/);
  expect(await db().rule.count()).toBe(1);

  await till.buy();
  await till.drain();
  const paid = await see();
  expect(paid.subscription).toMatchObject({ status: 'active', isTrialActive: false, cancelsAt: null });
  expect(paid.usage.notificationsUsed).toBe(0);
  await edit('Backlog');
  await edit('In progress');
  expect(await cards()).toHaveLength(3);
  expect((await see()).usage.notificationsUsed).toBe(2);

  await letPass(32);
  const turned = await eventually(async () => {
    await till.drain();
    const seen = await see();
    return seen.usage.periodStart === paid.subscription.renewsAt && seen;
  });
  expect(turned.usage).toMatchObject({ notificationsUsed: 0, periodEnd: turned.subscription.renewsAt });
  expect(turned.periods.map((each: { notificationsUsed: number }) => each.notificationsUsed)).toEqual([2, 1]);
  await edit('Done');
  expect(await cards()).toHaveLength(4);
  const after = await see();
  expect(after.usage.notificationsUsed).toBe(1);
  expect(after.me.subscription.notificationsByQuarter).toMatchObject([{ sent: 1 }]);

  await product().control(
    'stripe',
    'POST',
    `/customers/${(await db().account.findFirstOrThrow()).stripeCustomerId}/card`,
    { card: 'fading' },
  );
  await letPass(31);
  await eventually(async () => (await see()).subscription.status === 'past_due');
  await edit('Backlog');
  expect(await cards()).toHaveLength(4);
  expect((await texts()).at(-1)).toMatch(/^1 notification was held back .* A payment is overdue\./);
  // Stripe tries three more times, then ends it.
  await letPass(10);
  await eventually(async () => (await see()).subscription.status === 'canceled');
  expect(await db().rule.count()).toBe(1);
});

test('refuses an invalid number of days, and changes nothing', async () => {
  const before = await see();
  for (const days of [0, -1, 1.5, 4000]) {
    const { ok, output } = await letPass(days);
    expect(ok).toBe(false);
    expect(output).toContain('--days must be a whole number from 1 to 3650.');
  }
  expect(await see()).toEqual(before);
});

test('moves nothing in a database that has no sandbox', async () => {
  const before = await see();
  const free = String(await freePort());
  const { ok, output } = await letPass(5, free);
  expect(ok).toBe(false);
  expect(output).toContain(`No sandbox answers on port ${free}.`);
  expect(await see()).toEqual(before);
});

test('the trial of a deleted account keeps running out', async () => {
  await product().call('jonas', 'GET', '/api/app/me');
  await product().call('jonas', 'DELETE', '/api/app/account');
  const spent = () => db().trial.findFirstOrThrow({ where: { deletedAt: { not: null } } });
  const before = (await spent()).endsAt;
  await letPass(3);
  expect((await spent()).endsAt.getTime()).toBe(before.getTime() - 3 * DAY_MS);
});
