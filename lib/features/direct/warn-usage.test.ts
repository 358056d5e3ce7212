import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { STARTER } from '../billing/plan';

const LIMIT = STARTER.notifications;
const MIRA = '208917000000000101';
const PAGE = 'Boss fight: ember golem';

let pipeline: Pipeline;
let till: StripeSteps;
let status = 'Backlog';

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  till = new StripeSteps(product());
  await product().work();
  await pipeline.prepare(PAGE, { Status: status });
});
afterAll(() => product().stop());
beforeEach(async () => {
  await till.drain();
  await pipeline.clear();
  await db().heldNotice.deleteMany();
  // A new period, because Discord still knows the nonces of the warnings of the last one.
  const paidPeriodStart = new Date();
  const paidPeriodEnd = new Date(paidPeriodStart.getTime() + 30 * 86_400_000);
  await db().account.updateMany({ data: { status: 'active', paidPeriodStart, paidPeriodEnd } });
  await pipeline.rule();
});

const product = () => pipeline.story.product;

/** Makes one card due, and waits for everything that follows from it. */
async function edit(): Promise<void> {
  status = status === 'Backlog' ? 'Done' : 'Backlog';
  await pipeline.edit(PAGE, { Status: status });
  await till.drain();
}

async function directMessages(): Promise<string[]> {
  const { messages } = await product().control('discord', 'GET', `/direct-messages/${MIRA}`);
  return messages.map(({ content }: { content: string }) => content);
}

/** The texts of the direct messages sent while something was done. */
async function toldBy(work: () => Promise<void>): Promise<string[]> {
  const before = (await directMessages()).length;
  await work();
  return (await directMessages()).slice(before);
}

/** The numbers on the home page and on the billing page. */
async function shown(): Promise<number[]> {
  const me = await product().call('mira', 'GET', '/api/app/me');
  const billing = await product().call('mira', 'GET', '/api/app/billing');
  return [me.body.subscription.notificationsUsed, billing.body.usage.notificationsUsed];
}

test('the account holder is warned once at 80 %, not before, and not again on the way to the limit', async () => {
  await till.use(LIMIT * 0.8 - 2);
  expect(await toldBy(edit)).toEqual([]);
  const link = `${process.env['APP_URL']}/settings/billing`;
  const text = `800 of the 1,000 Pagewire notifications of this period are used: ${link}`;
  expect(await toldBy(edit)).toEqual([text]);
  expect(await shown()).toEqual([800, 800]);
  expect(await toldBy(edit)).toEqual([]);
  expect(await shown()).toEqual([801, 801]);
});

test('the last notification is sent, and the account holder is told once that posting stops', async () => {
  await till.use(LIMIT - 1);
  const text =
    'All 1,000 Pagewire notifications of this period are used. Posting resumes with the next period: ';
  expect(await toldBy(edit)).toEqual([expect.stringContaining(text)]);
  expect(await toldBy(edit)).toEqual([]);
  expect(await shown()).toEqual([LIMIT, LIMIT]);
  expect((await pipeline.cards()).filter(({ embeds }) => embeds.length > 0)).toHaveLength(1);
});

test('the account holder on a trial is told that only a subscription goes on', async () => {
  // The trial's period began when the account was created.
  await db().account.updateMany({ data: { status: 'trial', paidPeriodStart: null, paidPeriodEnd: null } });
  await till.use(LIMIT - 1);
  const text =
    'All 1,000 Pagewire notifications of this trial are used. Posting resumes with a subscription: ';
  expect(await toldBy(edit)).toEqual([expect.stringContaining(text)]);
});

test('a warning that Discord could not take is sent later; one that it refuses is not sent again', async () => {
  await till.use(LIMIT * 0.8 - 1);
  pipeline.fault({ target: 'discord', match: '@me/channels', kind: 'fail', status: 503, times: 1 });
  expect(await toldBy(edit)).toEqual([expect.stringContaining('800 of the 1,000')]);

  await till.use(LIMIT - 1);
  await db().conversation.updateMany({ data: { channelId: null } });
  pipeline.fault({ target: 'discord', match: '@me/channels', kind: 'fail', status: 403, times: 1 });
  expect(await toldBy(edit)).toEqual([]);
  expect(await toldBy(edit)).toEqual([]);
});

test('a new period has warnings of its own', async () => {
  await till.use(LIMIT * 0.8 - 1);
  expect(await toldBy(edit)).toHaveLength(1);
  await till.buy();
  await till.drain();
  expect(await shown()).toEqual([0, 0]);
  await till.use(LIMIT * 0.8 - 1);
  expect(await toldBy(edit)).toEqual([expect.stringContaining('800 of the 1,000')]);
});
