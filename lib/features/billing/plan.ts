/** What the Starter plan includes; notifications are per period. */
export const STARTER = {
  name: 'Starter',
  priceUsdPerMonth: 19,
  notifications: 1000,
  rules: 10,
} as const;

/** After this many sent notifications the account holder is warned that most of the period's are used. */
export const WARNING_THRESHOLD = STARTER.notifications * 0.8;
