import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { STARTER } from '../billing/plan';

const LIMIT = STARTER.notifications;
const MIRA = '208917000000000101';
const JONAS = '208917000000000102';
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

async function directMessages(to: string): Promise<string[]> {
  const { messages } = await product().control('discord', 'GET', `/direct-messages/${to}`);
  return messages.map(({ content }: { content: string }) => content);
}

/** The texts of the direct messages sent to a person while something was done. */
async function toldBy(work: () => Promise<void>, to = MIRA): Promise<string[]> {
  const before = (await directMessages(to)).length;
  await work();
  return (await directMessages(to)).slice(before);
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
    'All 1,000 Pagewire notifications of this period are used. Posting resumes with the next paid period: ';
  expect(await toldBy(edit)).toEqual([expect.stringContaining(text)]);
  expect(await toldBy(edit)).toEqual([]);
  expect(await shown()).toEqual([LIMIT, LIMIT]);
  expect((await pipeline.cards()).filter(({ embeds }) => embeds.length > 0)).toHaveLength(1);
});

test('the account holder on a trial is told that only a subscription goes on', async () => {
  // The trial's period began when the account was created.
  await db().account.updateMany({ data: { status: 'trial', paidPeriodStart: null, paidPeriodEnd: null } });
  await till.use(LIMIT * 0.8 - 1);
  const most = '800 of the 1,000 Pagewire notifications of this trial are used: ';
  expect(await toldBy(edit)).toEqual([expect.stringContaining(most)]);
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

describe('of a shared trial, whose use is that of both accounts,', () => {
  const began = Date.now();
  let daysAgo = 0;

  beforeEach(async () => {
    await db().account.deleteMany({ where: { discordUserId: JONAS } });
    await db().usagePeriod.deleteMany();
    await db().trial.deleteMany();
    // Another day begins another period.
    daysAgo += 1;
    const createdAt = new Date(began - daysAgo * 86_400_000);
    // Without a customer, because every night the subscriptions of customers are read again.
    const free = { stripeCustomerId: null, stripeSubscriptionId: null };
    await db().account.updateMany({
      data: { status: 'trial', paidPeriodStart: null, paidPeriodEnd: null, createdAt, ...free },
    });
  });

  /** Makes Jonas connect the same workspace in an account of his own. */
  async function join(): Promise<void> {
    await product().connectNotion('jonas', [pipeline.story.board.id]);
    await till.drain();
  }

  /** What each of the two is told while something is done. */
  async function bothToldBy(work: () => Promise<void>): Promise<string[][]> {
    const told: string[][] = [];
    told[0] = await toldBy(async () => {
      told[1] = await toldBy(work, JONAS);
    });
    return told;
  }

  const ofBoth = (used: string) =>
    expect.stringMatching(
      `^${used} Pagewire notifications of your trial are used, together with another account that shares it`,
    );
  const most = [ofBoth('800 of the 1,000')];
  const all = [ofBoth('All 1,000')];

  test('each holder is told once that most, and once that all is used', async () => {
    await join();
    await till.use(LIMIT * 0.4 - 2);
    await till.use(LIMIT * 0.4, JONAS);
    expect(await bothToldBy(edit)).toEqual([[], []]);
    expect(await bothToldBy(edit)).toEqual([most, most]);
    expect(await bothToldBy(edit)).toEqual([[], []]);
    await till.use(LIMIT * 0.6 - 1);
    expect(await bothToldBy(edit)).toEqual([all, all]);
    expect(await bothToldBy(edit)).toEqual([[], []]);
  });

  test('whoever joins it late is told what is used already', async () => {
    await till.use(LIMIT * 0.8 - 1);
    await edit();
    expect(await bothToldBy(join)).toEqual([[], most]);
    expect(await bothToldBy(edit)).toEqual([[], []]);
  });

  test('a holder who pays by then is told nothing', async () => {
    await join();
    const paid = { status: 'active', paidPeriodStart: new Date(), paidPeriodEnd: new Date(Date.now() + 1e9) };
    await db().account.updateMany({ where: { discordUserId: JONAS }, data: paid });
    await till.use(LIMIT * 0.8 - 1);
    expect(await bothToldBy(edit)).toEqual([most, []]);
  });
});
