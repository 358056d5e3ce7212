/** The cards to choose from, after the test numbers that Stripe publishes. */
export const CARDS = {
  good: { brand: 'Visa', last4: '4242', about: 'Always works' },
  fading: { brand: 'Mastercard', last4: '0341', about: 'Works today, is declined at the next renewal' },
  declined: { brand: 'Visa', last4: '0002', about: 'Is declined at once' },
} as const;

export type CardKey = keyof typeof CARDS;

export const CARD_KEYS = Object.keys(CARDS) as [CardKey, ...CardKey[]];

export function isCardKey(value: unknown): value is CardKey {
  return typeof value === 'string' && value in CARDS;
}
