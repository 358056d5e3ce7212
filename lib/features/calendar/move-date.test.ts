import { expect, test } from 'vitest';
import { isSameDate, moveDate, toWrite } from './move-date';

const BERLIN = { timeZone: 'Europe/Berlin', now: new Date('2026-11-23T10:00:00Z') };
// In Berlin it is the 24th already.
const LATE = { timeZone: 'Europe/Berlin', now: new Date('2026-11-23T23:30:00Z') };
const SPRING = { timeZone: 'Europe/Berlin', now: new Date('2026-03-28T10:00:00Z') };

type Terms = typeof BERLIN;
type Range = [start: string, end?: string | null, time_zone?: string | null];
const date = ([start, end = null, time_zone = null]: Range) => ({ start, end, time_zone });

test.each<[string, Range, number, Terms, Range]>([
  ['a day', ['2026-11-20'], 1, BERLIN, ['2026-11-24']],
  ['a day to the next week', ['2026-12-24'], 7, BERLIN, ['2026-11-30']],
  ['a day by the clock of the account', ['2026-11-20'], 1, LATE, ['2026-11-25']],
  ['days', ['2026-11-20', '2026-11-22'], 1, BERLIN, ['2026-11-24', '2026-11-26']],
  ['a time', ['2026-11-20T09:30:00.000+01:00'], 1, BERLIN, ['2026-11-24T09:30:00+01:00']],
  ['a time of another offset', ['2026-11-20T08:30:00.000Z'], 1, BERLIN, ['2026-11-24T09:30:00+01:00']],
  [
    'a time over the change of clocks',
    ['2026-03-27T09:00:00+01:00'],
    1,
    SPRING,
    ['2026-03-29T09:00:00+02:00'],
  ],
  [
    'a time to a day whose clock skips it',
    ['2026-03-27T02:30:00+01:00'],
    1,
    SPRING,
    ['2026-03-29T03:30:00+02:00'],
  ],
  [
    'times over midnight',
    ['2026-11-20T22:00:00+01:00', '2026-11-21T01:00:00+01:00'],
    1,
    BERLIN,
    ['2026-11-24T22:00:00+01:00', '2026-11-25T01:00:00+01:00'],
  ],
  [
    'a time in a zone',
    ['2026-11-20T20:00:00', '2026-11-20T21:15:00', 'America/New_York'],
    1,
    BERLIN,
    ['2026-11-24T20:00:00-05:00', '2026-11-24T21:15:00-05:00', 'America/New_York'],
  ],
  [
    'a time in a zone with its offset',
    ['2026-11-20T20:00:00.000-05:00', null, 'America/New_York'],
    7,
    BERLIN,
    ['2026-11-30T20:00:00-05:00', null, 'America/New_York'],
  ],
])('moves %s', (_, from, inDays, ...[terms, to]) => {
  expect(moveDate(date(from), { ...terms, inDays })).toEqual(date(to));
});

test('no date becomes the day', () => {
  expect(moveDate(null, { ...BERLIN, inDays: 1 })).toEqual(date(['2026-11-24']));
});

test.each<[boolean, Range | null, Range | null]>([
  [true, ['2026-11-24'], ['2026-11-24']],
  [true, ['2026-11-24T09:00:00.000+01:00'], ['2026-11-24T08:00:00Z']],
  [true, ['2026-11-24T09:00:00', null, 'Europe/Berlin'], ['2026-11-24T09:00:00.000+01:00']],
  [true, null, null],
  [false, ['2026-11-24'], null],
  [false, ['2026-11-24'], ['2026-11-24T00:00:00Z']],
  [false, ['2026-11-24'], ['2026-11-24', '2026-11-25']],
  [false, ['2026-11-24T09:00:00+01:00'], ['2026-11-24T09:00:00Z']],
])('that it is %s that %j and %j are the same', (isSame, one, other) => {
  expect(isSameDate(one && date(one), other && date(other))).toBe(isSame);
});

test('what has a time zone is written without offsets', () => {
  const zoned = date(['2026-11-24T09:00:00.000-05:00', null, 'America/New_York']);
  expect(toWrite(zoned)).toEqual(date(['2026-11-24T09:00:00', null, 'America/New_York']));
  const plain = date(['2026-11-24T09:00:00.000-05:00']);
  expect(toWrite(plain)).toEqual(plain);
});
