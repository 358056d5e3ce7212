import { expect, test } from 'vitest';
import { dayOfPeriod, planPace } from './plan-pace';

const start = new Date('2026-11-01T00:00:00Z');
const end = new Date('2026-12-01T00:00:00Z');
const on = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour));
const pace = (used: number, now: Date) => planPace({ used, limit: 1000, start, end }, now);

test('a plan that is used faster than the days pass runs out on a day', () => {
  expect(pace(500, on(11))).toEqual({ kind: 'runs_out', at: on(21) });
  expect(pace(999, on(30, 23))).toEqual({ kind: 'runs_out', at: expect.any(Date) });
});

test('a plan that lasts says how much will be used', () => {
  expect(pace(100, on(11))).toEqual({ kind: 'lasts', expected: 300 });
});

test('a plan that is used up is, whatever the day', () => {
  expect(pace(1000, on(2))).toEqual({ kind: 'used_up' });
  expect(pace(1001, on(30))).toEqual({ kind: 'used_up' });
});

test.each([
  ['nothing was used', 0, on(20)],
  ['the first day is not over', 40, on(1, 23)],
  ['the period is over', 40, end],
  ['the period lies ahead', 40, new Date('2026-10-20T00:00:00Z')],
])('nothing is foretold when %s', (_, used, now) => {
  expect(pace(used, now)).toEqual({ kind: 'unknown' });
});

test('the days of a period are counted from one', () => {
  expect(dayOfPeriod({ start, end }, on(1, 5))).toEqual({ day: 1, of: 30 });
  expect(dayOfPeriod({ start, end }, on(30, 23))).toEqual({ day: 30, of: 30 });
  expect(dayOfPeriod({ start, end }, end)).toBeNull();
});
