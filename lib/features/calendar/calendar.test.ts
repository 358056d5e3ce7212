import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextDigest, quietUntil, tellLaterAt, timeInZone } from './calendar';
import { type Timing, timingSchema } from './schema';

type Digest = Extract<Timing, { kind: 'digest' }>;

const digest = (terms: Omit<Digest, 'kind'>): Digest => ({ kind: 'digest', ...terms });
const DAILY = digest({ every: 'day', at: '09:00' });
const NIGHT = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7] };

const next = (timing: Digest, zone: string, now: string) =>
  nextDigest(timing, zone, new Date(now)).toISOString().replace(':00.000Z', 'Z');
const quiet = (quietHours: typeof NIGHT, timeZone: string, at: string) =>
  quietUntil({ timeZone, quietHours }, new Date(at))?.toISOString().replace(':00.000Z', 'Z') ?? null;

test.each<[string, Digest, string, string, string]>([
  ['on the hour', digest({ every: 'hour' }), 'Europe/Berlin', '2026-11-23T08:59:59Z', '2026-11-23T09:00Z'],
  ['the hour after', digest({ every: 'hour' }), 'Europe/Berlin', '2026-11-23T09:00:00Z', '2026-11-23T10:00Z'],
  ['hours of a half', digest({ every: 'hour' }), 'Asia/Kolkata', '2026-11-23T09:10:00Z', '2026-11-23T09:30Z'],
  // The clock is set back by half an hour at 02:00, and at 03:45 by an hour.
  [
    'the full hour after one set back by half',
    digest({ every: 'hour' }),
    'Australia/Lord_Howe',
    '2026-04-04T15:00:00Z',
    '2026-04-04T15:30Z',
  ],
  [
    'the full hour after one set back within it',
    digest({ every: 'hour' }),
    'Pacific/Chatham',
    '2026-04-04T14:00:00Z',
    '2026-04-04T14:15Z',
  ],
  ['today', DAILY, 'Europe/Berlin', '2026-11-23T07:59:59Z', '2026-11-23T08:00Z'],
  ['tomorrow', DAILY, 'Europe/Berlin', '2026-11-23T08:00:00Z', '2026-11-24T08:00Z'],
  [
    'over a weekend',
    digest({ every: 'workday', at: '09:00' }),
    'UTC',
    '2026-11-27T09:00:00Z',
    '2026-11-30T09:00Z',
  ],
  [
    'on Sunday',
    digest({ every: 'week', at: '09:00', weekday: 7 }),
    'UTC',
    '2026-11-23T00:00:00Z',
    '2026-11-29T09:00Z',
  ],
  [
    'next week',
    digest({ every: 'week', at: '09:00', weekday: 1 }),
    'UTC',
    '2026-11-23T09:00:00Z',
    '2026-11-30T09:00Z',
  ],
  ['a day of 23 hours', DAILY, 'Europe/Berlin', '2026-03-28T09:00:00Z', '2026-03-29T07:00Z'],
  ['a day of 25 hours', DAILY, 'Europe/Berlin', '2026-10-24T09:00:00Z', '2026-10-25T08:00Z'],
  // The clock skips from 02:00 to 03:00.
  [
    'a skipped time',
    digest({ every: 'day', at: '02:30' }),
    'Europe/Berlin',
    '2026-03-29T00:00:00Z',
    '2026-03-29T01:30Z',
  ],
  [
    'the day after',
    digest({ every: 'day', at: '02:30' }),
    'Europe/Berlin',
    '2026-03-29T01:30:00Z',
    '2026-03-30T00:30Z',
  ],
  // The clock shows 02:00 to 03:00 twice.
  [
    'a doubled time',
    digest({ every: 'day', at: '02:30' }),
    'Europe/Berlin',
    '2026-10-25T00:00:00Z',
    '2026-10-25T00:30Z',
  ],
  [
    'not again',
    digest({ every: 'day', at: '02:30' }),
    'Europe/Berlin',
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30Z',
  ],
  // In Havana, midnight is the time that is skipped, and shown twice.
  [
    'no midnight',
    digest({ every: 'day', at: '00:00' }),
    'America/Havana',
    '2026-03-08T04:30:00Z',
    '2026-03-08T05:00Z',
  ],
  [
    'two midnights',
    digest({ every: 'day', at: '00:00' }),
    'America/Havana',
    '2026-11-01T03:59:00Z',
    '2026-11-01T04:00Z',
  ],
  [
    'one of them',
    digest({ every: 'day', at: '00:00' }),
    'America/Havana',
    '2026-11-01T04:00:00Z',
    '2026-11-02T05:00Z',
  ],
])('a digest comes %s', (_, timing, zone, ...[now, at]) => {
  expect(next(timing, zone, now)).toBe(at);
});

test.each([
  ['before', '2026-11-23T20:59:59Z', null],
  ['at the beginning', '2026-11-23T21:00:00Z', '2026-11-24T06:00Z'],
  ['after midnight', '2026-11-24T05:59:59Z', '2026-11-24T06:00Z'],
  ['at the end', '2026-11-24T06:00:00Z', null],
  ['in a short night', '2026-03-28T21:00:00Z', '2026-03-29T05:00Z'],
  ['in a long night', '2026-10-24T20:00:00Z', '2026-10-25T06:00Z'],
])('it is quiet over midnight: %s', (_, at, until) => {
  expect(quiet(NIGHT, 'Europe/Berlin', at)).toBe(until);
});

test('quiet hours begin on their days only, and last into the next', () => {
  const friday = { ...NIGHT, days: [5] };
  expect(quiet(friday, 'UTC', '2026-11-26T23:00:00Z')).toBeNull();
  expect(quiet(friday, 'UTC', '2026-11-27T06:00:00Z')).toBeNull();
  expect(quiet(friday, 'UTC', '2026-11-28T06:00:00Z')).toBe('2026-11-28T07:00Z');
  expect(quiet({ ...friday, from: '12:00', to: '13:00' }, 'UTC', '2026-11-28T12:30:00Z')).toBeNull();
});

test('quiet hours last through both times that the clock shows their end, and none that it skips', () => {
  const early = { from: '01:00', to: '02:30', days: [7] };
  expect(quiet(early, 'Europe/Berlin', '2026-10-25T01:00:00Z')).toBe('2026-10-25T01:30Z');
  expect(quiet(early, 'Europe/Berlin', '2026-03-29T00:30:00Z')).toBe('2026-03-29T01:30Z');
  const midnight = { from: '00:00', to: '00:30', days: [7] };
  expect(quiet(midnight, 'America/Havana', '2026-11-01T05:10:00Z')).toBe('2026-11-01T05:30Z');
  expect(quiet(midnight, 'America/Havana', '2026-03-08T05:10:00Z')).toBe('2026-03-08T05:30Z');
});

test('an urgent rule passes quiet hours, and a digest in them comes at their end', () => {
  const clock = { timeZone: 'UTC', quietHours: NIGHT };
  const now = new Date('2026-11-23T23:10:00Z');
  const at = (timing: Timing, urgent = false) => tellLaterAt({ timing, urgent }, clock, now)?.toISOString();
  expect(at({ kind: 'now' })).toBe('2026-11-24T07:00:00.000Z');
  expect(at({ kind: 'now' }, true)).toBeUndefined();
  expect(at(digest({ every: 'hour' }))).toBe('2026-11-24T07:00:00.000Z');
  expect(at(DAILY)).toBe('2026-11-24T09:00:00.000Z');
  expect(
    tellLaterAt({ timing: { kind: 'now' }, urgent: false }, { ...clock, quietHours: null }, now),
  ).toBeNull();
});

test('each date has its digest once in every time zone, and it is never quiet for ever', () => {
  const zones = [
    'Europe/Berlin',
    'America/Havana',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/New_York',
  ];
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
  const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...zones), time, time, moment, (timeZone, at, to, now) => {
      const first = nextDigest(digest({ every: 'day', at }), timeZone, now);
      const second = nextDigest(digest({ every: 'day', at }), timeZone, first);
      const hours = (second.getTime() - first.getTime()) / 3_600_000;
      expect(first > now).toBe(true);
      expect(hours).toBeGreaterThanOrEqual(22);
      expect(hours).toBeLessThanOrEqual(26);
      const until =
        at === to ? null : quietUntil({ timeZone, quietHours: { from: at, to, days: NIGHT.days } }, now);
      if (until) {
        expect(until > now).toBe(true);
        expect(until.getTime() - now.getTime()).toBeLessThanOrEqual(25 * 3_600_000);
      }
    }),
  );
});

test('a time is shown with its day unless it is of the same', () => {
  const now = new Date('2026-11-23T08:30:00Z');
  expect(timeInZone(new Date('2026-11-23T09:00:00Z'), 'Europe/Berlin', now)).toBe('10:00');
  expect(timeInZone(new Date('2026-11-24T08:00:00Z'), 'Europe/Berlin', now)).toBe('09:00 on Tuesday, Nov 24');
});

test.each([
  [{ kind: 'later' }, 'timing.kind must be "now" or "digest"'],
  [{ kind: 'digest', every: 'month' }, 'timing.every must be "hour", "day", "workday" or "week"'],
  [{ kind: 'digest', every: 'day', at: '9:00' }, 'timing.at must be a time of day such as "09:00"'],
  [
    { kind: 'digest', every: 'hour', at: '09:00' },
    'timing.at does not go with a digest each hour, which comes on the hour',
  ],
  [
    { kind: 'digest', every: 'day', at: '09:00', weekday: 1 },
    'timing.weekday goes with a digest each week only',
  ],
  [
    { kind: 'digest', every: 'week', at: '09:00', weekday: 8 },
    'timing.weekday must be a number from 1 for Monday to 7 for Sunday',
  ],
])('a timing %j is refused', (timing, message) => {
  expect(timingSchema.safeParse(timing).error?.issues[0]?.message).toBe(message);
});

test.each([
  [{ every: 'hour' }, {}],
  [{ every: 'day' }, { at: '09:00' }],
  [{ every: 'workday', at: '17:00' }, { at: '17:00' }],
  [{ every: 'week' }, { at: '09:00', weekday: 1 }],
  [
    { every: 'week', at: '17:00', weekday: 5 },
    { at: '17:00', weekday: 5 },
  ],
])('a digest %j comes %j', (given, at) => {
  expect(timingSchema.parse({ kind: 'digest', ...given })).toEqual({
    kind: 'digest',
    every: given.every,
    ...at,
  });
});
