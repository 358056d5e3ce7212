import type { DateFilter, Page } from '@/lib/integrations/notion/notion-page';
import type { Clock } from '../calendar/calendar';
import { addDays, dateInZone, daysBefore, daysBetween, localDateOf } from '../calendar/local-dates';
import type { DateNear, Schedule } from '../calendar/schema';
import type { ClockFinding } from '../cards/words';
import type { PipelineRule } from '../changes/pipeline-rules';
import { asItIs } from '../matching/conditions';
import { findRefusal } from '../matching/filters';
import type { ForgottenSpan } from '../recovery/queries';
import { nextRun, type Run } from './next-run';
import { mayHoldDate } from './schedule-property';

/** A rule whose time has come. */
export interface DueRule {
  rule: PipelineRule & { schedule: Schedule };
  run: Run;
}

/** A page about which a rule posts because of the time. */
export interface Found extends DueRule {
  page: Page;
  /** Identifies the reminder, so that the page is reminded of it only once. */
  mark: string;
  finding: ClockFinding;
  /** Whether it is known that the conditions hold; otherwise nothing is posted and only the log says so. */
  isKnown: boolean;
}

/** The prefix of a mark that is the time of an edit; other marks are dates. */
export const EDITED = 'edited:';

// Notion accepts 100, but a query with that many filters is no faster than one without.
const MAX_FILTERS = 50;

const DATED = ['date', 'created_time', 'last_edited_time'] as const;

/**
 * Filters for the pages that any of these rules may be about; null for all pages. They reach from the day before a date
 * to two days after it: Notion compares in UTC, where the date may end a day later, and a day in a filter may stand for
 * its first moment.
 */
export function filtersFor(
  due: DueRule[],
  clock: Clock,
  schema: { id: string; type: string }[],
): DateFilter[] | null {
  const filters = new Map<string, DateFilter>();
  for (const { rule, run } of due) {
    const filter = filterFor(rule.schedule, run, clock, schema);
    if (!filter) return null;
    filters.set(JSON.stringify(filter), filter);
  }
  return filters.size > MAX_FILTERS ? null : [...filters.values()];
}

function filterFor(
  schedule: Schedule,
  { nominalAt }: Run,
  clock: Clock,
  schema: { id: string; type: string }[],
): DateFilter | null {
  if ('every' in schedule) return null;
  if (!('propertyId' in schedule)) return { editedBefore: daysBefore(nominalAt, schedule.days) };
  const type = DATED.find((each) => each === schema.find(({ id }) => id === schedule.propertyId)?.type);
  if (!type) return null;
  const date = wantedDate(schedule, nominalAt, clock);
  return { property: schedule.propertyId, type, from: addDays(date, -1), to: addDays(date, 2) };
}

const wantedDate = ({ days }: DateNear, nominalAt: Date, { timeZone }: Clock) =>
  addDays(dateInZone(nominalAt, timeZone), days);

/** Whether a rule about single pages finds this page: what it found, or null. */
export function findIn(
  { rule, run }: DueRule,
  page: Page,
  clock: Clock,
  forgotten: ForgottenSpan | null,
): Found | null {
  const timely = timelinessOf(rule, run, page, clock);
  if (!timely) return null;
  if (timely.finding.kind === 'untouched' && wasMaybeTold(rule, page, clock, forgotten)) return null;
  const judged = judgeFound({ rule, run }, page);
  return judged && { rule, run, page, ...judged, ...timely };
}

/** Whether a page meets the conditions of a due rule, as far as is known; null when it does not. */
export function judgeFound({ rule, run }: DueRule, page: Page): Pick<Found, 'isKnown'> | null {
  const refusal = findRefusal(rule, asItIs(page, run.nominalAt));
  return refusal === null || refusal === 'condition_unknown' ? { isKnown: refusal === null } : null;
}

function timelinessOf(
  { schedule }: DueRule['rule'],
  { nominalAt }: Run,
  page: Page,
  clock: Clock,
): Pick<Found, 'mark' | 'finding'> | null {
  if ('every' in schedule || page.isTrashed) return null;
  const { days } = schedule;
  if (!('propertyId' in schedule)) {
    const isUntouched = page.lastEditedAt <= daysBefore(nominalAt, days);
    const mark = `${EDITED}${page.lastEditedAt.toISOString()}`;
    return isUntouched ? { mark, finding: { kind: 'untouched', days } } : null;
  }
  const value = page.values.get(schedule.propertyId);
  // A text may look like a date, after the property was converted.
  const date = value && mayHoldDate(value) && localDateOf(value.key.split('/')[0] ?? '', clock.timeZone);
  if (!date || date !== wantedDate(schedule, nominalAt, clock)) return null;
  return { mark: date, finding: { kind: 'date', name: value.name, date, daysLeft: days } };
}

/** What was found, as it is said on a date: a run at the end of a day may be made after midnight. */
export const asOf = (finding: ClockFinding, today: string): ClockFinding =>
  finding.kind === 'date' ? { ...finding, daysLeft: daysBetween(today, finding.date) } : finding;

/** Whether the run for it falls into the span that a restored database has lost. */
function wasMaybeTold(
  { schedule, urgent }: DueRule['rule'],
  page: Page,
  clock: Clock,
  forgotten: ForgottenSpan | null,
): boolean {
  if (!forgotten || !('days' in schedule)) return false;
  const restedAt = daysBefore(page.lastEditedAt, -schedule.days);
  const { nominalAt } = nextRun({ schedule, urgent }, clock, new Date(restedAt.getTime() - 1));
  return nominalAt >= forgotten.since && nominalAt <= forgotten.until;
}
