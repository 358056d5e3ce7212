import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from '@/lib/testing/page-of';
import { ruleOf } from '@/lib/testing/tried-rule';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/time';
import type { DateNear } from '../calendar/schema';
import { asOf, type DueRule, filtersFor, findIn } from './due-pages';
import { nextRun, runNow } from './next-run';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
// Around a change of clocks in Berlin and in New York.
const START = Date.UTC(2026, 9, 22, 12);
const PAGES = ['one', 'two'];
const LATE_MS = 10 * MINUTE_MS;

/** What happens after some minutes: a page gets a date or a time, or loses it, or a worker looks. */
type Step =
  | { afterMinutes: number; page: string; date: string }
  | { afterMinutes: number; isNotionDown: boolean };

const afterMinutes = fc.oneof(
  fc.integer({ min: 1, max: 90 }),
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 12 * 60, max: 14 * 60 }),
  // The worker is down for days.
  fc.integer({ min: 60, max: 8 * 24 * 60 }),
);
const day = fc
  .integer({ min: -3, max: 25 })
  .map((nr) => new Date(START + nr * DAY_MS).toISOString().slice(0, 10));
const date = fc.oneof(
  day,
  fc
    .tuple(day, fc.integer({ min: 0, max: 23 }), fc.constantFrom('Z', '+01:00', '-05:00', '+14:00'))
    .map(([on, hour, offset]) => `${on}T${String(hour).padStart(2, '0')}:30:00.000${offset}`),
  fc.constant(''),
);
const steps = fc.array(
  fc.oneof(
    fc.record({ afterMinutes, page: fc.constantFrom(...PAGES), date }),
    fc.record({ afterMinutes, isNotionDown: fc.boolean() }),
  ) as fc.Arbitrary<Step>,
  { maxLength: 40 },
);

/** The local date and time of a moment, by another calendar than the product's. */
function localOf(moment: number, timeZone: string): { on: string; at: string } {
  const [on = '', at = ''] = new Date(moment).toLocaleString('sv-SE', { timeZone }).split(' ');
  return { on, at: at.slice(0, 5) };
}

/** The date that a page's date stands for. */
const dayOf = (text: string, timeZone: string) =>
  text.includes('T') ? localOf(Date.parse(text), timeZone).on : text;

/** The date so many days later. */
const later = (on: string, days: number) =>
  new Date(Date.parse(`${on}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

function told(given: Step[], schedule: DateNear, timeZone: string) {
  const terms = ruleOf({ eventType: 'date_near', watchedProperties: [], schedule });
  const rule = terms as unknown as DueRule['rule'];
  const clock = { timeZone, quietHours: null };
  const dates = new Map(PAGES.map((id) => [id, '']));
  const marks = new Set<string>();
  const expected: string[] = [];
  const reminded: string[] = [];
  const lookedOn = new Set<string>();
  let stored = nextRun(rule, clock, new Date(START));
  let moment = START;
  const look = () => {
    if (stored.dueAt.getTime() > moment) return;
    const { run, next } = runNow(rule, clock, { stored, now: new Date(moment) });
    for (const [id, key] of run ? dates : []) {
      const value = { name: 'Due', type: 'date', key: key && `${key}/`, text: key };
      const page = { ...pageOf(new Map([['d', value]])), id };
      const found = run && findIn({ rule, run }, page, clock, null);
      const mark = found && `${id} ${found.mark}`;
      if (mark && !marks.has(mark)) reminded.push(`${mark} on ${localOf(moment, timeZone).on}`);
      if (mark) marks.add(mark);
    }
    stored = next;
  };
  const foresee = () => {
    const here = localOf(moment, timeZone);
    const before = localOf(moment - LATE_MS, timeZone);
    // A worker that is some minutes late still makes the run of the day before.
    const isLate = before.on < here.on && before.at < schedule.at && !lookedOn.has(before.on);
    const { on, at } = isLate ? { on: before.on, at: schedule.at } : here;
    const isFirstDay = on === localOf(START, timeZone).on && localOf(START, timeZone).at >= schedule.at;
    if (at < schedule.at || isFirstDay || lookedOn.has(on)) return;
    lookedOn.add(on);
    const wanted = later(on, schedule.days);
    for (const [id, text] of dates) {
      const entry = `${id} ${wanted} on ${here.on}`;
      const isKnown = expected.some((each) => each.startsWith(`${id} ${wanted} `));
      if (dayOf(text, timeZone) === wanted && !isKnown) expected.push(entry);
    }
  };
  for (const step of given) {
    moment += step.afterMinutes * MINUTE_MS;
    if ('date' in step) dates.set(step.page, step.date);
    // While Notion does not answer, the run stays due.
    else if (!step.isNotionDown) {
      foresee();
      look();
    }
  }
  return { expected, reminded };
}

test('a reminder that is told after midnight says how many days are left then', () => {
  const finding = { kind: 'date', name: 'Due', date: '2026-11-01', daysLeft: 1 } as const;
  expect(asOf(finding, '2026-10-31')).toEqual(finding);
  expect(asOf(finding, '2026-11-01')).toEqual({ ...finding, daysLeft: 0 });
  expect(asOf(finding, '2026-11-02')).toEqual({ ...finding, daysLeft: -1 });
});

test('however dates are moved and workers are down, a page is reminded of once for each date that it had at the time', () => {
  const schedules = fc.record({
    propertyId: fc.constant('d'),
    days: fc.integer({ min: -3, max: 3 }),
    at: fc.constantFrom('00:00', '03:30', '09:00', '23:55', '23:59'),
  });
  fc.assert(
    fc.property(steps, schedules, fc.constantFrom(...ZONES), (given, schedule, timeZone) => {
      const { expected, reminded } = told(given, schedule, timeZone);
      expect(reminded.toSorted()).toEqual(expected.toSorted());
    }),
    { numRuns: 500 },
  );
});

test('Notion is asked for every moment of the date, although it may take a day in a filter for its first moment in UTC', () => {
  const schedule: DateNear = { propertyId: 'd', days: 1, at: '09:00' };
  const rule = ruleOf({
    eventType: 'date_near',
    watchedProperties: [],
    schedule,
  }) as unknown as DueRule['rule'];
  fc.assert(
    fc.property(date.filter(Boolean), fc.constantFrom(...ZONES), (text, timeZone) => {
      const clock = { timeZone, quietHours: null };
      const dayBefore = later(dayOf(text, timeZone), -1);
      const moments = [2, 21].map((hour) => Date.parse(dayBefore) + hour * HOUR_MS);
      const moment = moments.find((each) => localOf(each, timeZone).on === dayBefore) ?? 0;
      const due = { rule, run: { nominalAt: new Date(moment), dueAt: new Date(moment) } };
      const value = { name: 'Due', type: 'date', key: `${text}/`, text };
      expect(findIn(due, pageOf(new Map([['d', value]])), clock, null)).not.toBeNull();
      const [filter] = filtersFor([due], clock, [{ id: 'd', type: 'date' }]) ?? [];
      if (!filter || !('from' in filter)) throw new Error('The rule has no filter for its date');
      expect(Date.parse(text)).toBeGreaterThanOrEqual(Date.parse(filter.from));
      expect(Date.parse(text)).toBeLessThanOrEqual(Date.parse(filter.to));
    }),
    { numRuns: 500 },
  );
});
