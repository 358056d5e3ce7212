import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { TestProduct } from '@/lib/testing/product';
import { StripeSteps } from '@/lib/testing/stripe-steps';

const DAY_MS = 86_400_000;
let product: TestProduct;
let till: StripeSteps;
/** The time on the Stripe stand-in's clock. */
let clock = new Date();

beforeAll(async () => {
  product = await TestProduct.start();
  till = new StripeSteps(product);
  await product.work();
});
afterAll(() => product.stop());

async function moveTo(at: Date): Promise<void> {
  await till.advanceDays((at.getTime() - clock.getTime()) / DAY_MS);
  clock = at;
}

const noonOf = (day: string) => new Date(`${day}T12:00:00Z`);

// The next one that is still to come.
const LEAP = 4 * Math.ceil((new Date().getUTCFullYear() + 1) / 4);

// In order of time, because the clock only moves forward.
test.each([
  [
    'of a leap year, over its clock changes',
    `${LEAP}-01-31`,
    [`${LEAP}-02-29`, `${LEAP}-03-31`, `${LEAP}-04-30`, `${LEAP}-05-31`],
  ],
  [
    'of an autumn with its clock changes',
    `${LEAP}-08-31`,
    [`${LEAP}-09-30`, `${LEAP}-10-31`, `${LEAP}-11-30`, `${LEAP}-12-31`],
  ],
  [
    'of an ordinary year',
    `${LEAP + 1}-01-30`,
    [`${LEAP + 1}-02-28`, `${LEAP + 1}-03-30`, `${LEAP + 1}-04-30`, `${LEAP + 1}-05-30`],
  ],
])('the periods %s, bought on %s, end on the days on which Stripe charges', async (_, bought, ends) => {
  await db().account.deleteMany();
  await moveTo(noonOf(bought));
  await till.buy();
  await till.drain();
  let start = bought;
  for (const end of ends) {
    const { subscription, usage } = (await product.call('mira', 'GET', '/api/app/billing')).body;
    expect(subscription).toMatchObject({ status: 'active', renewsAt: usage.periodEnd });
    expect([usage.periodStart.slice(0, 10), usage.periodEnd.slice(0, 10)]).toEqual([start, end]);
    // To the second: a change of daylight saving time neither shortens nor lengthens a period.
    const [from, to] = [usage.periodStart, usage.periodEnd].map((at: string) => at.slice(11, 19));
    expect(from).toBe(to);
    await moveTo(new Date(Date.parse(usage.periodEnd) + 60_000));
    await till.drain();
    start = end;
  }
});
