/** What the Starter plan holds. Prices in US dollars, notifications per period. */
export const STARTER = {
  name: 'Starter',
  priceUsdPerMonth: 19,
  notifications: 1000,
  rules: 10,
} as const;
