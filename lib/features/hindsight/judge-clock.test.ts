import { expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { UNKNOWN_PARENT } from '@/lib/integrations/notion/notion-parent';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { ruleOf } from '@/lib/testing/tried-rule';
import type { QuietHours, Schedule } from '../calendar/schema';
import type { Conditions } from '../matching/schema';
import type { Reach } from './find-reach';
import { type ClockSetting, judgeClock } from './judge-clock';

const NOW = new Date('2026-11-20T12:00:00Z');
const NO_CONDITIONS: Conditions = { match: 'all', items: [] };
const SINCE = new Date('2026-11-14T00:00:00Z');

const page = (
  id: string,
  editedAt: string,
  { due = '', status = 'open', createdAt = '2026-01-01' } = {},
): Page => ({
  id,
  url: `https://notion.so/${id}`,
  title: id,
  isTrashed: false,
  createdBy: null,
  lastEditedBy: null,
  createdAt: new Date(createdAt),
  lastEditedAt: new Date(editedAt),
  databaseId: 'db',
  parent: UNKNOWN_PARENT,
  icon: null,
  values: new Map([
    ['d', { name: 'Due', type: 'date', key: due && `${due}/`, text: due }],
    ['s', { name: 'Status', type: 'status', key: status, text: status, optionId: status }],
  ]),
});

const TO_PEOPLE = { destination: { kind: 'people', propertyId: 'p' } };
const OPEN: Conditions = { match: 'all', items: [{ propertyId: 's', operator: 'is', values: ['open'] }] };
const COMPUTED: Conditions = { match: 'all', items: [{ propertyId: 'f', operator: 'is', values: [1] }] };

interface More {
  timeZone?: string;
  quietHours?: QuietHours;
  urgent?: boolean;
  /** The ids of the pages that concern somebody, of all pages or of a part. */
  toPeople?: { concerned: string[]; isWhole?: boolean };
}

function judge(
  schedule: Schedule,
  conditions: Conditions,
  pages: Page[],
  { timeZone = 'UTC', quietHours, urgent = false, toPeople }: More = {},
) {
  const properties = [
    { id: 'd', name: 'Due', type: 'date' },
    { id: 's', name: 'Status', type: 'status' },
    { id: 'f', name: 'Sum', type: 'formula' },
  ];
  const database = { statusPropertyId: 's', properties };
  const reach: Reach = (those) =>
    those.some(({ id }) => toPeople?.concerned.includes(id))
      ? null
      : { outcome: 'skipped', reasons: ['nobody_linked'] };
  const setting: ClockSetting = {
    rule: { ...ruleOf({ schedule, conditions, urgent, ...(toPeople && TO_PEOPLE) }), database },
    sourceName: 'Board',
    clock: { timeZone, quietHours: quietHours ?? null },
    since: SINCE,
    now: NOW,
    reach: toPeople ? reach : null,
    isWhole: toPeople?.isWhole ?? true,
  };
  return judgeClock(setting, pages).map(({ event, outcome, title }) => [
    title,
    event.occurredAt.toISOString().slice(0, '2026-11-20T09:00'.length),
    outcome,
  ]);
}

const DUE = { propertyId: 'd', days: 1, at: '09:00' };

test('a date is near on its one day in the span, by the present dates', () => {
  const pages = [
    page('today', '2026-11-01', { due: '2026-11-21' }),
    page('first', '2026-11-01', { due: '2026-11-15' }),
    page('before', '2026-11-01', { due: '2026-11-14' }),
    page('later', '2026-11-01', { due: '2026-11-22' }),
    page('undated', '2026-11-01'),
  ];
  expect(judge(DUE, NO_CONDITIONS, pages)).toEqual([
    ['today', '2026-11-20T09:00', 'posted'],
    ['first', '2026-11-14T09:00', 'posted'],
  ]);
});

test('a date with a time is on the day that it is by the clock of the account', () => {
  const pages = [page('night', '2026-11-01', { due: '2026-11-17T23:30:00Z' })];
  expect(judge(DUE, NO_CONDITIONS, pages)).toEqual([['night', '2026-11-16T09:00', 'posted']]);
  expect(judge(DUE, NO_CONDITIONS, pages, { timeZone: 'Europe/Berlin' })).toEqual([
    ['night', '2026-11-17T08:00', 'posted'],
  ]);
});

test('whether conditions held is known unless the page was edited since, or Notion computes them', () => {
  const pages = [
    page('open', '2026-11-01', { due: '2026-11-18' }),
    page('done', '2026-11-01', { due: '2026-11-18', status: 'done' }),
    page('edited', '2026-11-17T09:01:00Z', { due: '2026-11-18', status: 'done' }),
  ];
  const outcomes = (conditions: Conditions) => judge(DUE, conditions, pages).map(([, , outcome]) => outcome);
  expect(outcomes(OPEN)).toEqual(['posted', 'skipped', 'unknown']);
  expect(outcomes(COMPUTED)).toEqual(['unknown', 'unknown', 'unknown']);
  expect(outcomes(NO_CONDITIONS)).toEqual(['posted', 'posted', 'posted']);
});

test('a value that is too long is no match, as in the log', () => {
  const long = page('long', '2026-11-01', { due: '2026-11-18' });
  const words = toPropertyValue({ type: 'rich_text', rich_text: [{ plain_text: 'a'.repeat(60_000) }] });
  long.values.set('n', { name: 'Notes', ...words });
  const wanted: Conditions = {
    match: 'all',
    items: [{ propertyId: 'n', operator: 'contains', values: ['b'] }],
  };
  expect(judge(DUE, wanted, [long])).toEqual([['long', '2026-11-17T09:00', 'skipped']]);
});

test('an untouched page is found once, at the first look after so many days', () => {
  const pages = [
    page('found', '2026-11-10T10:00:00Z'),
    page('at the first look', '2026-11-07T08:00:00Z'),
    page('long ago', '2026-11-06T08:00:00Z'),
    page('touched', '2026-11-19T08:00:00Z'),
    page('done', '2026-11-10T08:00:00Z', { status: 'done' }),
  ];
  expect(judge({ days: 7, at: '09:00' }, OPEN, pages)).toEqual([
    ['found', '2026-11-18T09:00', 'posted'],
    ['at the first look', '2026-11-14T09:00', 'posted'],
    ['done', '2026-11-17T09:00', 'skipped'],
  ]);
});

test('a summary comes at its times, if it is sure that there was a page or it comes without', () => {
  const sure = [page('a', '2026-11-17T12:00:00Z')];
  const weekdays = { every: 'workday' as const, at: '09:00' };
  const outcomes = (skipEmpty: boolean, pages: Page[]) =>
    judge({ ...weekdays, skipEmpty }, OPEN, pages).map(([, at, outcome]) => `${at?.slice(8, 10)} ${outcome}`);
  expect(outcomes(true, sure)).toEqual(['16 unknown', '17 unknown', '18 posted', '19 posted', '20 posted']);
  expect(new Set(outcomes(false, []).map((each) => each.slice(3)))).toEqual(new Set(['posted']));
  expect(outcomes(true, [])).toHaveLength(5);
});

test('a summary from quiet hours comes once, when they end', () => {
  const quietHours = { from: '22:00', to: '07:00', days: [1, 2, 3, 4, 5, 6, 7] };
  const times = (schedule: Schedule, urgent = false) =>
    judge(schedule, NO_CONDITIONS, [], { quietHours, urgent }).map(([, at]) => at);
  const hourly = { every: 'hour' as const, skipEmpty: false };
  expect(times(hourly).slice(0, 2)).toEqual(['2026-11-14T07:00', '2026-11-14T08:00']);
  expect(times(hourly)).toHaveLength(6 * 15 + 6);
  expect(times(hourly, true)).toHaveLength(6 * 24 + 13);
  const late = { every: 'week' as const, at: '23:30', weekday: 5, skipEmpty: false };
  expect(times(late)).toEqual(['2026-11-14T07:00']);
  expect(
    judge({ ...DUE, at: '23:30' }, NO_CONDITIONS, [page('due', '2026-11-01', { due: '2026-11-17' })], {
      quietHours,
    }),
  ).toEqual([['due', '2026-11-16T23:30', 'posted']]);
});

test('a summary to people is posted if somebody was surely listed, and skipped if surely nobody was', () => {
  const pages = [
    page('sure', '2026-11-17T12:00:00Z'),
    page('done', '2026-11-01', { status: 'done' }),
    page('edited', '2026-11-20T11:00:00Z'),
  ];
  const daily = { every: 'workday' as const, at: '09:00', skipEmpty: false };
  const outcomes = (concerned: string[], isWhole = true) =>
    judge(daily, OPEN, pages, { toPeople: { concerned, isWhole } }).map(([, , outcome]) => outcome);
  const [skipped, unknown] = [Array(5).fill('skipped'), Array(5).fill('unknown')];
  expect(outcomes(['sure'])).toEqual(['unknown', 'unknown', 'posted', 'posted', 'posted']);
  expect(outcomes(['edited'])).toEqual(unknown);
  expect(outcomes(['done'])).toEqual(skipped);
  expect(outcomes([])).toEqual(skipped);
  expect(outcomes([], false)).toEqual(unknown);
});
