/** @jsxImportSource hono/jsx */
import { AMOUNT_CENTS } from '../starter-price';

export const money = (cents = AMOUNT_CENTS) => `$${(cents / 100).toFixed(2)}`;

/** A date that the page's script converts to the reader's own time zone. */
export function Day({ at }: { at: number }) {
  const iso = new Date(at * 1000).toISOString();
  return <time datetime={iso}>{iso.slice(0, 10)}</time>;
}
