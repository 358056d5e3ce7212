import { expect, test } from 'vitest';
import { nextPeriodEnd } from './billing-month';

const at = (iso: string) => Date.parse(iso) / 1000;

test.each([
  ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z'],
  ['2028-01-31T10:00:00Z', '2028-01-31T10:00:00Z', '2028-02-29T10:00:00Z'],
  ['2026-12-15T23:59:59Z', '2026-12-15T23:59:59Z', '2027-01-15T23:59:59Z'],
])('anchored at %s, the period from %s ends at %s', (anchor, start, end) => {
  expect(nextPeriodEnd(at(anchor), at(start))).toBe(at(end));
});
