import type { SandboxContext } from '../context';

/** What the one price of the sandbox costs a month. */
export const AMOUNT_CENTS = 1900;
export const CURRENCY = 'usd';
export const PRODUCT_ID = 'prod_starter';

export const priceIdOf = (context: SandboxContext) => context.credentials.stripe.priceId;
