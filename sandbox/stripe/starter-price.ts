import type { SandboxContext } from '../context';

/** The amount of every price in the sandbox; the plan's is monthly. */
export const AMOUNT_CENTS = 1900;
export const CURRENCY = 'usd';
export const PRODUCT_ID = 'prod_starter';

/** The price of another product, which the same customer may buy weekly. */
export const OTHER_PRICE_ID = 'price_other_weekly';
export const OTHER_PRODUCT_ID = 'prod_other';

export const hasPrice = (context: SandboxContext, id: string) =>
  id === priceIdOf(context) || id === OTHER_PRICE_ID;

const priceIdOf = (context: SandboxContext) => context.credentials.stripe.priceId;
