import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { accountOf } from '@/lib/auth/account';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { forgetOldRecords } from '../account/retention';
import { STARTER } from '../billing/plan';
import { countTest } from './count-test';

const DAY_MS = 86_400_000;
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await db().testDay.deleteMany();
  await stand('trial', 1);
});

const sendTest = () =>
  pipeline.story.product.call('mira', 'POST', '/api/app/rules/test', {
    databaseId: pipeline.story.board.dataSourceId,
    eventType: 'page_updated',
    channelId: pipeline.story.channel('tasks'),
    watchedProperties: ['Status'],
    statusTo: [],
    displayedFields: [],
  });
const stand = (status: string, days: number) =>
  db().account.updateMany({ data: { status, trialEndsAt: new Date(Date.now() + days * DAY_MS) } });
const cards = async () => (await pipeline.cards('tasks')).length;

/** Records this many tests as sent on the day this many days ago. */
async function sent(count: number, daysAgo = 0): Promise<void> {
  await countTest(await db().account.findFirstOrThrow());
  await db().testDay.updateMany({ data: { sent: count } });
  await sentOn(daysAgo);
}

const sentOn = (daysAgo: number) =>
  db().testDay.updateMany({ data: { day: new Date(Date.now() - daysAgo * DAY_MS) } });

test.each([
  ['trial', -1, 'The trial has ended. Posting resumes with a subscription.'],
  ['past_due', 1, 'A payment is overdue. Posting resumes once it is made.'],
  ['canceled', 1, 'The subscription has ended. Posting resumes with a new one.'],
])('with the status %s and the trial ending in %d days no test is sent', async (status, days, error) => {
  await stand(status, days);
  expect(await sendTest()).toMatchObject({ status: 403, body: { error, code: 'limit_reached' } });
  expect([await cards(), await db().testDay.count()]).toEqual([0, 0]);
});

test('no test is sent over the quota, and a test does not count towards it', async () => {
  const till = new StripeSteps(pipeline.story.product);
  await till.use(STARTER.notifications);
  const { status, body } = await sendTest();
  expect(status).toBe(403);
  expect(body.error).toMatch(/^The 1,000 notifications of the trial are used\./);
  expect(await cards()).toBe(0);
  await till.use(STARTER.notifications - 1);
  expect((await sendTest()).status).toBe(200);
  const { reserved, sent: counted } = await db().usagePeriod.findFirstOrThrow();
  expect([reserved, counted]).toEqual([STARTER.notifications - 1, STARTER.notifications - 1]);
});

test('of simultaneous tests, twenty a day are sent', async () => {
  await sent(18);
  const answers = await Promise.all([1, 2, 3, 4].map(sendTest));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.body).toEqual({
    error: 'All 20 tests of today are sent. The next one can be sent after midnight UTC.',
    code: 'rate_limited',
  });
  expect(await cards()).toBe(2);
});

test('the count starts again on the next day', async () => {
  await sent(20, 1);
  expect((await sendTest()).status).toBe(200);
  expect((await db().testDay.findFirstOrThrow()).sent).toBe(1);
});

test('the count is forgotten after its day', async () => {
  await sent(20);
  await forgetOldRecords();
  expect(await db().testDay.count()).toBe(1);
  await sentOn(1);
  await forgetOldRecords();
  expect(await db().testDay.count()).toBe(0);
});

test('the count goes on in the next account of the same person, and names nobody', async () => {
  await sent(19);
  const { product } = pipeline.story;
  const { subject, discordUserId } = await db().account.findFirstOrThrow();
  expect((await product.call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
  const again = await accountOf(subject);
  await countTest(again);
  await expect(countTest(again)).rejects.toThrow(/^All 20 tests of today are sent/);
  const kept = JSON.stringify(await db().testDay.findMany());
  for (const id of [subject, discordUserId, again.id]) expect(kept).not.toContain(id);
});
