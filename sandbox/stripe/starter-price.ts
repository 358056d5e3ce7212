import type { SandboxContext } from '../context';

/** What a price of the sandbox costs, the plan's by the month. */
export const AMOUNT_CENTS = 1900;
export const CURRENCY = 'usd';
export const PRODUCT_ID = 'prod_starter';

/** A price of something else, which the same customer may buy by the week. */
export const OTHER_PRICE_ID = 'price_other_weekly';
export const OTHER_PRODUCT_ID = 'prod_other';

export const hasPrice = (context: SandboxContext, id: string) =>
  id === priceIdOf(context) || id === OTHER_PRICE_ID;

export const priceIdOf = (context: SandboxContext) => context.credentials.stripe.priceId;
