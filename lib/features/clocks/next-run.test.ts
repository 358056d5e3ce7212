import { expect, test } from 'vitest';
import { type Schedule, scheduleSchema } from '../calendar/schema';
import { nextRun, type Run, runNow } from './next-run';

const NEAR: Schedule = { propertyId: 'd', days: 1, at: '09:00' };
const NIGHT = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7] };
const iso = (date: Date) => date.toISOString().replace(':00.000Z', 'Z');

test.each<[string, Schedule, string, string, string]>([
  ['on a day of 23 hours', NEAR, 'Europe/Berlin', '2026-03-28T09:00:00Z', '2026-03-29T07:00Z'],
  ['on a day of 25 hours', NEAR, 'Europe/Berlin', '2026-10-24T09:00:00Z', '2026-10-25T08:00Z'],
  ['in a zone of halves', NEAR, 'Asia/Kolkata', '2026-11-23T03:30:00Z', '2026-11-24T03:30Z'],
  ['over the end of a month', { days: 7, at: '09:00' }, 'UTC', '2026-11-30T09:00:00Z', '2026-12-01T09:00Z'],
  [
    'over a weekend',
    { every: 'workday', at: '09:00', skipEmpty: true },
    'UTC',
    '2026-11-27T09:00:00Z',
    '2026-11-30T09:00Z',
  ],
])('a rule is looked at %s', (_, schedule, timeZone, ...[after, at]) => {
  const run = nextRun({ schedule, urgent: false }, { timeZone, quietHours: null }, new Date(after));
  expect([iso(run.nominalAt), iso(run.dueAt)]).toEqual([at, at]);
});

test('a summary waits for the end of quiet hours, unless it is urgent', () => {
  const schedule: Schedule = { every: 'day', at: '23:00', skipEmpty: true };
  const clock = { timeZone: 'UTC', quietHours: NIGHT };
  const after = new Date('2026-11-23T12:00:00Z');
  expect(iso(nextRun({ schedule, urgent: false }, clock, after).dueAt)).toBe('2026-11-24T07:00Z');
  expect(iso(nextRun({ schedule, urgent: true }, clock, after).dueAt)).toBe('2026-11-23T23:00Z');
});

test.each([
  ['in time', '2026-11-23T09:00:10Z', '2026-11-23T09:00Z', '2026-11-24T09:00Z'],
  ['late on its day', '2026-11-23T23:59:00Z', '2026-11-23T09:00Z', '2026-11-24T09:00Z'],
  ['on the next day before its time', '2026-11-24T08:00:00Z', null, '2026-11-24T09:00Z'],
  ['days later after its time', '2026-11-26T10:00:00Z', '2026-11-26T09:00Z', '2026-11-27T09:00Z'],
])('a run that is looked at %s', (_, now, run, next) => {
  const at = new Date('2026-11-23T09:00:00Z');
  const made = runNow(
    { schedule: NEAR, urgent: false },
    { timeZone: 'UTC', quietHours: null },
    { stored: { nominalAt: at, dueAt: at }, now: new Date(now) },
  );
  expect([made.run && iso(made.run.nominalAt), iso(made.next.nominalAt)]).toEqual([run, next]);
});

test.each([
  ['a worker whose clock is ahead', '23', '2026-11-24T00:00:00Z', '2026-11-23T23:59Z'],
  ['a worker that is some minutes late', '23', '2026-11-24T00:08:00Z', '2026-11-23T23:59Z'],
  [
    'a worker that was down for days and is some minutes late',
    '19',
    '2026-11-24T00:08:00Z',
    '2026-11-23T23:59Z',
  ],
  ['a worker that is late by more', '23', '2026-11-24T00:10:00Z', null],
])('a run at the end of a day is made by %s', (_, day, now, run) => {
  const at = new Date(`2026-11-${day}T23:59:00Z`);
  const made = runNow(
    { schedule: { ...NEAR, at: '23:59' }, urgent: false },
    { timeZone: 'UTC', quietHours: null },
    { stored: { nominalAt: at, dueAt: at }, now: new Date(now) },
  );
  expect([made.run && iso(made.run.nominalAt), iso(made.next.nominalAt)]).toEqual([run, '2026-11-24T23:59Z']);
});

test('a missed summary is not made up for in quiet hours, but when they end', () => {
  const schedule: Schedule = { every: 'day', at: '21:00', skipEmpty: true };
  const clock = { timeZone: 'UTC', quietHours: NIGHT };
  const at = new Date('2026-11-23T21:00:00Z');
  const look = (urgent: boolean, stored: Run, now: string) =>
    runNow({ schedule, urgent }, clock, { stored, now: new Date(now) });
  const missed = { nominalAt: at, dueAt: at };
  expect(look(true, missed, '2026-11-23T22:30:00Z').run).toEqual(missed);
  const put = look(false, missed, '2026-11-23T22:30:00Z');
  expect(put).toEqual({ run: null, next: { nominalAt: at, dueAt: new Date('2026-11-24T07:00:00Z') } });
  const made = look(false, put.next, '2026-11-24T07:00:10Z');
  expect([made.run, iso(made.next.dueAt)]).toEqual([put.next, '2026-11-24T21:00Z']);
});

test.each([
  ['after quiet hours', '2026-11-25T10:00:00Z', '2026-11-24T23:00Z', '2026-11-26T07:00Z'],
  ['before they end', '2026-11-25T06:00:00Z', null, '2026-11-25T07:00Z'],
])('after days without a worker, a summary of the last evening is made up for: %s', (_, now, run, due) => {
  const schedule: Schedule = { every: 'day', at: '23:00', skipEmpty: true };
  const clock = { timeZone: 'UTC', quietHours: NIGHT };
  const stored = nextRun({ schedule, urgent: false }, clock, new Date('2026-11-22T12:00:00Z'));
  const made = runNow({ schedule, urgent: false }, clock, { stored, now: new Date(now) });
  expect([made.run && iso(made.run.nominalAt), iso(made.next.dueAt)]).toEqual([run, due]);
});

test.each([
  [{ propertyId: 'd', days: 31, at: '09:00' }, 'days', /^schedule\.days must be a whole number from -30/],
  [{ days: 0, at: '09:00' }, 'days', /^schedule\.days must be a whole number from 1 to 365$/],
  [{ days: 3, at: '9:00' }, 'at', /^schedule\.at must be a time of day/],
  [{ every: 'day' }, 'at', /^schedule\.at must say at what time a summary each day comes/],
  [{ every: 'day', at: '09:00', weekday: 1 }, 'weekday', /^schedule\.weekday goes with a summary each week/],
])('a schedule %j is refused', (schedule, field, message) => {
  const [issue] = scheduleSchema.safeParse(schedule).error?.issues ?? [];
  expect(issue).toMatchObject({ path: [field], message: expect.stringMatching(message) });
});
