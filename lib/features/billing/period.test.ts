import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '@/lib/time';
import { currentPeriod } from './period';

const at = (iso: string) => new Date(iso);
const trial = (createdAt: Date) => ({ createdAt, paidPeriodStart: null, paidPeriodEnd: null });
const paid = (start: string, end: string) => ({
  createdAt: at('2026-01-10T00:00:00Z'),
  paidPeriodStart: at(start),
  paidPeriodEnd: at(end),
});

test.each([
  // Inside the paid period, and before its start, because the demo's Stripe may be ahead of us.
  {
    paid: ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    now: '2026-02-10T00:00:00Z',
    period: ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  },
  {
    paid: ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    now: '2026-01-01T00:00:00Z',
    period: ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
  },
  // The paid period is over and Stripe was not read since: the next one starts where it ended.
  {
    paid: ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
    now: '2026-02-28T10:00:00Z',
    period: ['2026-02-28T10:00:00Z', '2026-03-28T10:00:00Z'],
  },
  {
    paid: ['2027-12-31T23:30:00Z', '2028-01-31T23:30:00Z'],
    now: '2028-02-01T00:00:00Z',
    period: ['2028-01-31T23:30:00Z', '2028-02-29T23:30:00Z'],
  },
  {
    paid: ['2026-12-15T00:00:00Z', '2027-01-15T00:00:00Z'],
    now: '2027-01-20T00:00:00Z',
    period: ['2027-01-15T00:00:00Z', '2027-02-15T00:00:00Z'],
  },
  // Three months late: a short month between does not move the days after it.
  {
    paid: ['2026-12-31T10:00:00Z', '2027-01-31T10:00:00Z'],
    now: '2027-04-01T00:00:00Z',
    period: ['2027-03-31T10:00:00Z', '2027-04-30T10:00:00Z'],
  },
] as const)(
  'paid from $paid, the period at $now is $period',
  ({ paid: [start, end], now, period: [from, to] }) => {
    expect(currentPeriod(paid(start, end), at(now))).toEqual({ start: at(from), end: at(to) });
  },
);

test('without a subscription it is the month from the day of sign-up', () => {
  expect(currentPeriod(trial(at('2028-01-31T22:15:00Z')), at('2028-03-01T00:00:00Z'))).toEqual({
    start: at('2028-02-29T00:00:00Z'),
    end: at('2028-03-31T00:00:00Z'),
  });
});

const moment = fc.date({
  min: at('2024-01-01T00:00:00Z'),
  max: at('2036-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const later = fc.integer({ min: 0, max: 900 * 24 });

test('every moment is in exactly one period, whose length is a month, in leap years and over clock changes too', () => {
  fc.assert(
    fc.property(moment, later, fc.boolean(), (begin, hours, isPaid) => {
      const now = new Date(begin.getTime() + hours * HOUR_MS);
      const end = new Date(begin.getTime() + 30 * DAY_MS);
      const account = isPaid
        ? { createdAt: begin, paidPeriodStart: begin, paidPeriodEnd: end }
        : trial(begin);
      const period = currentPeriod(account, now);
      expect(period.start.getTime()).toBeLessThanOrEqual(now.getTime());
      expect(period.end.getTime()).toBeGreaterThan(now.getTime());
      const days = (period.end.getTime() - period.start.getTime()) / DAY_MS;
      expect(days).toBeGreaterThanOrEqual(28);
      expect(days).toBeLessThanOrEqual(31);
      expect(currentPeriod(account, period.end).start).toEqual(period.end);
      expect(currentPeriod(account, new Date(period.end.getTime() - 1))).toEqual(period);
    }),
    { numRuns: 2000 },
  );
});
