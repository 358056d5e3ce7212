import { expect, test } from 'vitest';
import { daysAhead, daysOfPeriod, scaleTop } from './days-of-period';

// Tests run in a time zone 5:45 hours ahead of UTC.
const at = (local: string) => new Date(`${local}+05:45`);
const sent = (local: string, count: number) => ({ at: at(local).toISOString(), sent: count });
const seen = (...call: Parameters<typeof daysOfPeriod>) =>
  daysOfPeriod(...call).map(({ day, sent }) => `${day.getMonth() + 1}/${day.getDate()} ${sent}`);

test('every day since the period began is listed, even if nothing was sent on it', () => {
  const start = at('2026-11-17T09:00:00');
  const counts = [
    sent('2026-11-17T23:45:00', 2),
    sent('2026-11-20T00:00:00', 3),
    sent('2026-11-20T12:00:00', 4),
  ];
  expect(seen(start, at('2026-11-21T08:00:00'), counts)).toEqual([
    '11/17 2',
    '11/18 0',
    '11/19 0',
    '11/20 7',
    '11/21 0',
  ]);
});

test('a message belongs to the day in the reader’s time zone, not in UTC', () => {
  const start = at('2026-11-20T00:00:00');
  // This is 19:00 on the 20th in UTC.
  expect(seen(start, at('2026-11-21T10:00:00'), [sent('2026-11-21T00:45:00', 1)])).toEqual([
    '11/20 0',
    '11/21 1',
  ]);
});

test('a demo period that lies ahead of the clock shows what was sent today', () => {
  const now = at('2026-11-21T10:00:00');
  expect(seen(at('2027-01-01T00:00:00'), now, [])).toEqual([]);
  expect(seen(at('2027-01-01T00:00:00'), now, [sent('2026-11-21T09:45:00', 2)])).toEqual(['11/21 2']);
});

test('no more than a month of days is shown', () => {
  expect(seen(at('2026-01-01T00:00:00'), at('2026-11-21T10:00:00'), [])).toHaveLength(32);
});

test('the days ahead go on to the end of the period, and no further than there is room', () => {
  const last = at('2026-11-28T00:00:00');
  const days = (end: string, most = 31) => daysAhead(last, at(end), most).map((day) => day.getDate());
  expect(days('2026-12-02T09:00:00')).toEqual([29, 30, 1, 2]);
  expect(days('2026-12-02T00:00:00')).toEqual([29, 30, 1]);
  expect(days('2026-11-20T00:00:00')).toEqual([]);
  expect(days('2027-11-20T00:00:00', 3)).toEqual([29, 30, 1]);
});

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [9, 10],
  [11, 12],
  [101, 120],
  [41, 60],
  [100, 100],
  [999, 1000],
])('a scale for up to %i ends at %i', (most, top) => {
  expect(scaleTop(most)).toBe(top);
});
