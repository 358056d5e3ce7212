import { parseCronItems } from 'graphile-worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';
import { CRONTAB, jobs } from './jobs';

let product: TestProduct;
let till: StripeSteps;

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
});
afterAll(() => product.stop());

test('every line makes a job that exists, and no run is overtaken by the next', () => {
  const names = jobs.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { task, options } of parseCronItems(CRONTAB)) {
    expect(names).toContain(task);
    expect(options).toMatchObject({ jobKey: task, maxAttempts: 200 });
  }
});

test('subscriptions are read again after a night in which no worker ran and every webhook was lost', async () => {
  await product.work();
  await till.buy();
  await till.drain();
  const { stripeSubscriptionId, status } = await till.subscription();
  expect(status).toBe('active');
  await product.rest();
  till.fault('drop');
  await till.change(stripeSubscriptionId, 'cancel-now');
  // As if the crontab had been known for days, and the last worker had stopped a day ago.
  await db().$executeRaw`
    update graphile_worker._private_known_crontabs
    set known_since = now() - interval '9 days', last_execution = now() - interval '1 day 1 minute'`;
  expect((await till.subscription()).status).toBe('active');
  await product.work();
  await expect.poll(async () => (await till.subscription()).status).toBe('canceled');
});
