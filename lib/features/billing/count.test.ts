import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { STARTER } from './plan';
import { rereadSubscriptions } from './sync-subscription';

const LIMIT = STARTER.notifications;
const CHANNELS = ['tasks', 'bugs', 'general'];
const STATUSES = ['Backlog', 'Done'];

let pipeline: Pipeline;
let till: StripeSteps;
let titles: string[];
const current = new Map<string, string>();

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  till = new StripeSteps(product());
  await product().control('stripe', 'PATCH', '/settings', { retryBaseMs: 10 });
  const rows: { title: string }[] = await product().control('notion', 'GET', '/rows?database=Sprint%20board');
  titles = rows.map(({ title }) => title).slice(0, 4);
  await product().work();
  for (const title of titles) {
    await pipeline.prepare(title, { Status: 'Backlog' });
    current.set(title, 'Backlog');
  }
});
afterAll(() => product().stop());

const product = () => pipeline.story.product;
const row = () => db().account.findFirstOrThrow();
const billing = async () => (await product().call('mira', 'GET', '/api/app/billing')).body;

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('edit' as const), pages: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trouble' as const),
      kind: fc.constantFrom('hangup', 'fail', 'slow'),
      status: fc.constantFrom(400, 500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('buy' as const), card: fc.constantFrom('good', 'fading') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      action: fc.constantFrom('cancel-now', 'cancel-at-period-end', 'resume'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 9, 31, 33) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'end the trial' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fill' as const), room: fc.integer({ min: 0, max: 8 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('webhooks' as const),
      fault: fc.constantFrom('drop', 'duplicate', 'reorder'),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'read again' as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const losesAnswers = (each: Step) => each.do === 'trouble' && each.kind === 'hangup';

/** Notifications that a period counted before the test sent anything, by the period's start. */
type Earlier = Map<string, number>;

async function begin(): Promise<void> {
  await settle();
  await pipeline.clear();
  await db().heldNotice.deleteMany();
  await db().$executeRaw`delete from graphile_worker._private_jobs where locked_at is null`;
  await db().account.updateMany({
    data: {
      status: 'trial',
      trialEndsAt: new Date(Date.now() + 86_400_000),
      stripeCustomerId: null,
      stripeSubscriptionId: null,
      paidPeriodStart: null,
      paidPeriodEnd: null,
      cancelsAt: null,
    },
  });
  for (const name of CHANNELS) await pipeline.rule({ channelId: pipeline.story.channel(name) });
}

/**
 * Waits until nothing is left to do except what is due on a later day. Brings further attempts forward.
 */
const settle = () =>
  eventually(async () => {
    await db().$executeRaw`
      update graphile_worker._private_jobs set run_at = now()
      where run_at > now() and run_at < now() + interval '1 hour' and locked_at is null`;
    return till.isDrained();
  });

async function take(each: Step, earlier: Earlier): Promise<void> {
  const { stripeCustomerId, stripeSubscriptionId } = await row();
  if (each.do === 'edit') {
    for (const title of titles.slice(0, each.pages)) {
      const next = STATUSES.find((status) => status !== current.get(title)) ?? '';
      current.set(title, next);
      await pipeline.edit(title, { Status: next });
    }
  }
  if (each.do === 'trouble') {
    const { kind, status } = each;
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind, status, times: 2, delayMs: 200 });
  }
  if (each.do === 'buy') {
    const { status, body } = await product().call('mira', 'POST', '/api/app/billing/create-checkout-session');
    if (status === 200) await till.pay(body.url, each.card);
  }
  if (each.do === 'change' && stripeSubscriptionId) {
    const held = (await till.subscriptions()).find(({ id }) => id === stripeSubscriptionId);
    if (held?.status === 'active') await till.change(held.id, each.action);
  }
  if (each.do === 'pass') {
    // Discord recognises a repeated attempt only for minutes, so none may be left before days pass.
    await settle();
    await till.advanceDays(each.days);
  }
  if (each.do === 'end the trial') await db().account.updateMany({ data: { trialEndsAt: new Date() } });
  if (each.do === 'fill') await fill(each.room, earlier);
  if (each.do === 'webhooks') till.fault(each.fault, undefined, 3);
  if (each.do === 'read again' && stripeCustomerId) await rereadSubscriptions();
}

async function fill(room: number, earlier: Earlier): Promise<void> {
  await settle();
  const { usage } = await billing();
  if (usage.notificationsUsed > 0) return;
  await till.use(LIMIT - room);
  earlier.set(usage.periodStart, LIMIT - room);
}

test('whatever happens, what is posted is counted once, in one period, and no period passes the limit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      await begin();
      const earlier: Earlier = new Map();
      for (const each of steps) await take(each, earlier);
      product().sandbox.context.faults.clear();
      await settle();

      const posted = (await Promise.all(CHANNELS.map((name) => pipeline.cards(name)))).flat();
      const cards = posted.filter(({ embeds }) => embeds.length > 0).map(({ id }) => id as string);
      const listed: string[] = [];
      const { body: periods } = await product().call('mira', 'GET', '/api/app/billing/periods');
      for (const { periodStart, notificationsUsed } of periods) {
        const path = `/api/app/billing/periods/${periodStart}`;
        const { body: ledger } = await product().call('mira', 'GET', path);
        expect(notificationsUsed).toBe((earlier.get(periodStart) ?? 0) + ledger.length);
        expect(notificationsUsed).toBeLessThanOrEqual(LIMIT);
        listed.push(...ledger.map(({ messageId }: { messageId: string }) => messageId));
      }
      expect(new Set(listed).size).toBe(listed.length);
      expect(cards).toEqual(expect.arrayContaining(listed));
      // Only a card whose confirmation was lost just before posting stopped may be posted without being counted.
      if (!steps.some(losesAnswers)) expect(listed).toHaveLength(cards.length);
    }),
    { numRuns: 12 },
  );
});
