import { expect, test } from 'vitest';
import {
  dayInWords,
  daysLeft,
  isDay,
  monthlyPeriod,
  relativeTime,
  rewriteDays,
  rewriteInstants,
} from './time';

const NOW = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-5 * MINUTE, 'Just now'],
  [0, 'Just now'],
  [MINUTE - 1, 'Just now'],
  [MINUTE, '1 minute ago'],
  [2 * MINUTE - 1, '1 minute ago'],
  [2 * MINUTE, '2 minutes ago'],
  [HOUR - 1, '59 minutes ago'],
  [HOUR, '1 hour ago'],
  [2 * HOUR, '2 hours ago'],
  [DAY - 1, '23 hours ago'],
  [DAY, '1 day ago'],
  [2 * DAY - 1, '1 day ago'],
  [400 * DAY, '400 days ago'],
])('%d ms ago reads "%s"', (elapsedMs, text) => {
  expect(relativeTime(ago(elapsedMs), NOW)).toBe(text);
});

test.each([
  [14 * DAY, 14],
  [3 * DAY + 1, 4],
  [3 * DAY, 3],
  [1, 1],
  [0, 0],
  [-DAY, -1],
])('%d ms before the end are %d days left', (remainingMs, days) => {
  expect(daysLeft(new Date(NOW.getTime() + remainingMs), NOW)).toBe(days);
});

test.each([
  // signed up, now, start, end
  ['2026-01-15', '2026-01-15T00:00:00Z', '2026-01-15', '2026-02-15'],
  ['2026-01-15', '2026-02-14T23:59:59Z', '2026-01-15', '2026-02-15'],
  ['2026-01-15', '2026-02-15T00:00:00Z', '2026-02-15', '2026-03-15'],
  ['2026-01-29', '2026-02-28T00:00:00Z', '2026-02-28', '2026-03-29'],
  ['2026-01-30', '2026-02-27T23:59:59Z', '2026-01-30', '2026-02-28'],
  ['2026-01-31', '2026-02-28T08:00:00Z', '2026-02-28', '2026-03-31'],
  ['2026-01-31', '2026-03-30T08:00:00Z', '2026-02-28', '2026-03-31'],
  ['2026-01-31', '2026-04-30T00:00:00Z', '2026-04-30', '2026-05-31'],
  ['2026-12-31', '2027-01-01T00:00:00Z', '2026-12-31', '2027-01-31'],
  ['2028-01-29', '2028-02-29T00:00:00Z', '2028-02-29', '2028-03-29'],
  ['2028-01-31', '2028-02-29T00:00:00Z', '2028-02-29', '2028-03-31'],
  ['2028-02-29', '2029-02-28T00:00:00Z', '2029-02-28', '2029-03-29'],
  ['2028-02-29', '2032-02-29T00:00:00Z', '2032-02-29', '2032-03-29'],
])('signed up on %s, the period at %s is %s to %s', (anchor, now, start, end) => {
  const period = monthlyPeriod(new Date(`${anchor}T15:30:00Z`), new Date(now));
  expect(period).toEqual({ start: new Date(`${start}T00:00:00Z`), end: new Date(`${end}T00:00:00Z`) });
});

test.each([1, 15, 28, 29, 30, 31])(
  'periods that start on day %d follow one another without gap or overlap',
  (day) => {
    const anchor = new Date(Date.UTC(2027, 11, day, 9));
    for (let at = Date.UTC(2027, 11, day); at < Date.UTC(2029, 3, 1); at += DAY) {
      const { start, end } = monthlyPeriod(anchor, new Date(at));
      expect(start.getTime()).toBeLessThanOrEqual(at);
      expect(end.getTime()).toBeGreaterThan(at);
      expect(monthlyPeriod(anchor, end).start).toEqual(end);
    }
  },
);

test.each([
  ['2026-11-24', 'Nov 24, 2026'],
  ['2026-01-01', 'Jan 1, 2026'],
  ['someday', 'someday'],
])('the date %s reads %s', (day, words) => {
  expect(dayInWords(day)).toBe(words);
});

test.each([
  ['2026-11-20T09:00:00.000+01:00', '<1795161600>'],
  ['2026-11-20T08:00Z → 2026-11-20T09:00:00Z', '<1795161600> → <1795165200>'],
  ['2026-11-20T08:00Z, 2026-11-20T09:00:00Z', '<1795161600>, <1795165200>'],
  ['2026-99-99T99:99Z', '2026-99-99T99:99Z'],
  ['since 2026-11-20T08:00Z', 'since 2026-11-20T08:00Z'],
  ['2026-11-20', '2026-11-20'],
  ['', ''],
])('of the text %j, the times are rewritten: %j', (text, rewritten) => {
  expect(rewriteInstants(text, (at) => `<${at.getTime() / 1000}>`)).toBe(rewritten);
});

test.each([
  ['Nov 24, 2026', '<2026-11-24>'],
  ['Nov 9, 2026 → Dec 1, 2026', '<2026-11-09> → <2026-12-01>'],
  ['Nov 9, 2026, Dec 1, 2026', '<2026-11-09>, <2026-12-01>'],
  ['Due on Nov 24, 2026', 'Due on Nov 24, 2026'],
  ['Foo 24, 2026', 'Foo 24, 2026'],
])('the days of "%s" are rewritten to "%s"', (text, rewritten) => {
  expect(rewriteDays(text, (at) => `<${at.toISOString().slice(0, 10)}>`)).toBe(rewritten);
});

test.each([
  ['2026-11-30', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['30.11.2026', false],
  ['tomorrow', false],
  ['', false],
])('%j is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});
