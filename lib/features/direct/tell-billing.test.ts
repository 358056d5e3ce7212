import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { HOUR_MS } from '@/lib/time';
import { enqueueBillingNews, tellEndedTrials } from '../billing/billing-news';
import { rereadSubscriptions } from '../billing/sync-subscription';

const MIRA = '208917000000000101';
const HOUR_AGO = new Date(Date.now() - HOUR_MS);

let product: TestProduct;
let till: StripeSteps;
let told = 0;

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
  const guilds: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  // The bot may write to anybody who shares a server with it.
  await product.installBot('mira', guilds.find(({ name }) => name === 'Lantern Works')?.id ?? '');
  await product.control('stripe', 'PATCH', '/settings', { retryBaseMs: 10 });
  await product.work();
});
afterAll(() => product.stop());
beforeEach(async () => {
  product.sandbox.context.faults.clear();
  await till.drain();
  told = (await letters(0)).length;
});

async function letters(since = told): Promise<string[]> {
  const { messages } = await product.control('discord', 'GET', `/direct-messages/${MIRA}`);
  return messages.slice(since).map(({ content }: { content: string }) => content);
}

/** What the holder has been told once nothing is under way, with every event of Stripe delivered twice. */
async function news(): Promise<string[]> {
  await till.drain();
  const events: { payload: { id: string } }[] = await product.control('stripe', 'GET', '/events');
  for (const { payload } of [...events].reverse()) {
    await product.control('stripe', 'POST', `/events/${payload.id}/redeliver`);
  }
  await db().stripeEvent.deleteMany();
  await till.drain();
  await rereadSubscriptions();
  await till.drain();
  return letters();
}

const page = () => `${process.env['APP_URL']}/settings/billing`;

test('the end of a trial is told once, and only to whom it is news', async () => {
  await tellEndedTrials();
  await till.drain();
  expect(await letters()).toEqual([]);
  await db().account.updateMany({ data: { trialEndsAt: HOUR_AGO, createdAt: new Date(0) } });
  await Promise.all([tellEndedTrials(), tellEndedTrials()]);
  await till.drain();
  await tellEndedTrials();
  await till.drain();
  expect(await letters()).toEqual([
    `Your Pagewire trial has ended, and nothing is posted any more. Your rules stay as they are; posting resumes with a subscription: ${page()}`,
  ]);

  // A trial that was over at sign-up, then one that was followed by a subscription.
  await db().account.updateMany({ data: { trialEndToldAt: null, createdAt: new Date() } });
  await tellEndedTrials();
  await till.drain();
  await db().account.updateMany({ data: { createdAt: new Date(0) } });
  await till.buy('fading');
  await till.drain();
  await db().account.updateMany({ data: { trialEndToldAt: null } });
  await tellEndedTrials();
  await till.drain();
  expect(await letters()).toHaveLength(1);
});

test('a payment that failed is told once, however often and in which order Stripe tells of it', async () => {
  till.fault('duplicate');
  await till.advanceDays(32);
  await till.drain();
  expect((await till.subscription()).status).toBe('past_due');
  expect(await news()).toEqual([
    `A payment for Pagewire failed, and nothing is posted until it is made. Check your card under Manage Billing: ${page()}`,
  ]);
});

test('a subscription that is paused is told once, and that it continues is not', async () => {
  const { stripeCustomerId } = await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } });
  await product.control('stripe', 'POST', `/customers/${stripeCustomerId}/card`, { card: 'good' });
  await till.drain();
  const { stripeSubscriptionId } = await till.subscription();
  await till.change(stripeSubscriptionId, 'pause');
  const paused = `Your Pagewire subscription is paused, and nothing is posted until it continues: ${page()}`;
  expect(await news()).toEqual([paused]);
  await till.change(stripeSubscriptionId, 'unpause');
  expect(await news()).toEqual([paused]);
});

test('a subscription that ends is told once, and that it will end is not', async () => {
  const { stripeCustomerId } = await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } });
  await product.control('stripe', 'POST', `/customers/${stripeCustomerId}/card`, { card: 'good' });
  await till.drain();
  const [subscription] = await till.subscriptions();
  await till.change(subscription?.id ?? '', 'cancel-at-period-end');
  expect(await news()).toEqual([]);
  till.fault('reorder');
  await till.advanceDays(40);
  product.sandbox.context.faults.clear();
  expect(await news()).toEqual([
    `Your Pagewire subscription has ended, and nothing is posted any more. Your rules stay as they are; posting resumes with a new subscription: ${page()}`,
  ]);
});

test('what has changed again before it could be told is not told', async () => {
  await product.rest();
  await till.buy('good');
  await product.work();
  await till.drain();
  const { id: accountId } = await db().account.findFirstOrThrow({ where: { discordUserId: MIRA } });
  const at = new Date();
  await enqueueBillingNews(db(), accountId, 'payment_failed', at);
  await enqueueBillingNews(db(), accountId, 'subscription_paused', at);
  await enqueueBillingNews(db(), accountId, 'subscription_ended', at);
  await till.drain();
  expect(await letters()).toEqual([]);
});
