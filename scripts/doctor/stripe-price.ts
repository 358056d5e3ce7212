import type Stripe from 'stripe';
import type { Env } from '@/lib/env';
import { STARTER } from '@/lib/features/billing/plan';
import { isLiveKey } from '@/lib/integrations/stripe/stripe-event';
import { type Finding, orFine, wrong } from './finding';
import { askStripe, refusalOf, refused } from './stripe-call';
import type { Subject } from './subject';

const CENTS = 100;
const OTHER_MODE = /similar object exists in (live|test) mode/;

/** Checks the secret key and the price of the plan. */
export const stripePrice: Subject = {
  name: 'Stripe price',
  check: async (context) => {
    const { env } = context;
    const answer = await askStripe(context, `/prices/${encodeURIComponent(env.STRIPE_PRICE_ID)}`);
    const { code, message } = refusalOf(answer);
    if (code === 'resource_missing') return [...checkMode(env), missing(OTHER_MODE.exec(message)?.[1])];
    if (answer.status !== 200) return [refused(answer, 'prices')];
    const found = [...checkMode(env), ...checkPrice(answer.json as Stripe.Price)];
    return orFine(found, `The price is $${STARTER.priceUsdPerMonth} a month.`);
  },
};

function missing(otherMode: string | undefined): Finding {
  if (!otherMode) {
    return wrong('Stripe does not know STRIPE_PRICE_ID.', "Copy the price's id from the product's page.");
  }
  const ours = otherMode === 'test' ? 'live' : 'test';
  return wrong(
    `STRIPE_PRICE_ID is a price of the ${otherMode} mode, but STRIPE_SECRET_KEY is a key of the ${ours} mode.`,
    `Create the price in ${ours} mode, or use a key of the ${otherMode} mode.`,
  );
}

function checkMode({ ENVIRONMENT, STRIPE_SECRET_KEY }: Env): Finding[] {
  const isLive = isLiveKey(STRIPE_SECRET_KEY);
  if (ENVIRONMENT === 'dev' && isLive) {
    return [
      wrong(
        'ENVIRONMENT is dev, but the Stripe key is live.',
        'Use a test key, or set ENVIRONMENT=production.',
      ),
    ];
  }
  if (ENVIRONMENT === 'production' && !isLive) {
    return [wrong('STRIPE_SECRET_KEY is a test key: nobody pays.', 'Use the live key, price and endpoint.')];
  }
  return [];
}

function checkPrice(price: Stripe.Price): Finding[] {
  const found: Finding[] = [];
  if (!price.active)
    found.push(wrong('The price is archived.', 'Unarchive it, or set STRIPE_PRICE_ID to another.'));
  const { recurring } = price;
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) {
    found.push(
      wrong('The price is not paid monthly.', 'Create a recurring price with a period of one month.'),
    );
  }
  if (price.currency !== 'usd' || price.unit_amount !== STARTER.priceUsdPerMonth * CENTS) {
    const amount = `${(price.unit_amount ?? 0) / CENTS} ${price.currency.toUpperCase()}`;
    const text = `The price is ${amount}, but the pages say $${STARTER.priceUsdPerMonth}.`;
    found.push(wrong(text, `Create a price of ${STARTER.priceUsdPerMonth} USD.`));
  }
  return found;
}
