import type { Page } from '@/lib/integrations/notion/notion-page';
import { DAY_MS, MINUTE_MS } from '@/lib/time';
import type { Clock } from '../calendar/calendar';
import { addDays, dateInZone, daysBefore, localDateOf } from '../calendar/local-dates';
import type { DateNear, Schedule, Summary, Untouched } from '../calendar/schema';
import { nextRun } from '../clocks/next-run';
import { asItIs } from '../matching/conditions';
import { filteredBy, findRefusal } from '../matching/filters';
import { COMPUTED } from '../matching/unnamed-changes';
import type { Reach } from './find-reach';
import type { TriedRule } from './past-views';
import type { Judged } from './report';

/** What applies to all pages on which a clock rule is tried. */
export interface ClockSetting {
  rule: TriedRule;
  sourceName: string;
  clock: Clock;
  since: Date;
  now: Date;
  /** Whom it tells; null for a rule to a channel. */
  reach: Reach | null;
  /** Whether the pages are all pages of the database. */
  isWhole: boolean;
}

const EDITED_SINCE = 'The page was edited since, so it is unknown whether it met the conditions then.';
const COMPUTED_SINCE =
  'Values that Notion computes may have changed since, so it is unknown whether the page met the conditions then.';
const PAGES_UNKNOWN =
  'It is unknown which pages met the conditions then, and so whether there was anything to list.';
const READERS_UNKNOWN =
  'It is unknown which pages met the conditions then, and so whether they concern anybody who gets messages.';

// Nobody caused what a clock tells.
const BY_CLOCK = { authors: [] };

// Runs before the span show what had already been reported; two days include at least one such run.
const EARLIER_MS = 2 * DAY_MS;

/**
 * What a clock rule would have made of these pages, judged by their current dates and by when they were last edited.
 * What may have been different at the time is unknown.
 */
export function judgeClock(setting: ClockSetting, pages: Page[]): Judged[] {
  const { schedule } = setting.rule;
  if (!schedule) return [];
  if ('every' in schedule) return judgeSummary(setting, schedule, pages);
  const from = new Date(setting.since.getTime() - EARLIER_MS);
  const looks = timesOf(schedule, { ...setting, since: from });
  return pages.flatMap((page) => {
    const look =
      'propertyId' in schedule
        ? findNear(setting, schedule, { looks, page })
        : findUntouched(schedule, looks, page);
    return look && look >= setting.since ? [judgePage(setting, page, look)] : [];
  });
}

function judgePage({ rule, reach }: ClockSetting, page: Page, look: Date): Judged {
  const judged = {
    event: { pageId: page.id, occurredAt: look },
    title: page.title,
    url: page.url || null,
  };
  const why = whyUnknown(rule, page, look);
  if (why !== null) return { ...judged, outcome: 'unknown', why };
  const refusal = findRefusal(rule, asItIs(page, look));
  if (refusal !== null) return { ...judged, outcome: 'skipped', reasons: [refusal] };
  return posted(judged, reach?.([page], BY_CLOCK));
}

/** What was posted, unless nobody is told of it. */
function posted(
  one: Pick<Judged, 'event' | 'title' | 'url'>,
  unreached: ReturnType<Reach> | undefined,
): Judged {
  return unreached ? { ...one, ...unreached } : { ...one, outcome: 'posted', changes: [] };
}

/** Why the filtered values of that time are unknown; null if they are the current ones. */
function whyUnknown(rule: TriedRule, page: Page, at: Date): string | null {
  const ids = filteredBy(rule);
  if (ids.length === 0) return null;
  if (isEditedSince(page, at)) return EDITED_SINCE;
  return hasComputed(ids, rule.database) ? COMPUTED_SINCE : null;
}

// Notion rounds the time of an edit down to the minute.
const isEditedSince = ({ lastEditedAt }: Page, at: Date) => lastEditedAt.getTime() > at.getTime() - MINUTE_MS;

const hasComputed = (ids: string[], { properties }: TriedRule['database']) =>
  properties.some(({ id, type }) => ids.includes(id) && COMPUTED.includes(type));

/** When the clock fired the rule in the span, earliest first. A summary from quiet hours came when they ended. */
function timesOf(
  schedule: Schedule,
  { rule: { urgent }, clock, since, now }: Pick<ClockSetting, 'rule' | 'clock' | 'since' | 'now'>,
): Date[] {
  const times: Date[] = [];
  // A run from before the span may have waited into it.
  let run = nextRun({ schedule, urgent }, clock, new Date(since.getTime() - EARLIER_MS - 1));
  while (run.dueAt <= now) {
    if (run.dueAt >= since) times.push(run.dueAt);
    run = nextRun({ schedule, urgent }, clock, run.dueAt);
  }
  return times;
}

/** When the rule found that the page's current date was `days` days away. */
function findNear(
  { clock: { timeZone } }: ClockSetting,
  { propertyId, days }: DateNear,
  { looks, page }: { looks: Date[]; page: Page },
): Date | undefined {
  const date = localDateOf(page.values.get(propertyId)?.key.split('/')[0] ?? '', timeZone);
  return looks.find((look) => addDays(dateInZone(look, timeZone), days) === date);
}

/** When the rule first found that a page had not been edited for `days` days. */
const findUntouched = ({ days }: Untouched, looks: Date[], { lastEditedAt }: Page): Date | undefined =>
  looks.find((look) => lastEditedAt <= daysBefore(look, days));

function judgeSummary(setting: ClockSetting, schedule: Summary, pages: Page[]): Judged[] {
  const { rule, sourceName } = setting;
  return timesOf(schedule, setting).map((at) => {
    const event = { pageId: '', occurredAt: at };
    const listed = { event, title: sourceName, url: null };
    const isSent = !schedule.skipEmpty || pages.some((page) => wasThere(rule, page, at));
    if (!isSent) return { ...listed, outcome: 'unknown', why: PAGES_UNKNOWN };
    return posted(listed, unreachedBy(setting, pages, at));
  });
}

/** Why a summary told nobody, or why that is unknown; null if somebody is sure to have got it. */
function unreachedBy({ rule, reach, isWhole }: ClockSetting, pages: Page[], at: Date): ReturnType<Reach> {
  const sure = reach?.(
    pages.filter((page) => wasThere(rule, page, at)),
    BY_CLOCK,
  );
  if (!reach || !sure || rule.destination.kind !== 'people') return sure ?? null;
  const all = reach(
    pages.filter((page) => mayHaveBeenThere(rule, page, at)),
    BY_CLOCK,
  );
  return all && isWhole ? all : { outcome: 'unknown', why: READERS_UNKNOWN };
}

/** Whether it is sure that a page was listed at a time. */
const wasThere = (rule: TriedRule, page: Page, at: Date) =>
  isOlder(page, at) && whyUnknown(rule, page, at) === null && findRefusal(rule, asItIs(page, at)) === null;

/** Whether a page may have been listed at a time. */
const mayHaveBeenThere = (rule: TriedRule, page: Page, at: Date) =>
  isOlder(page, at) &&
  (whyUnknown(rule, page, at) !== null ||
    [null, 'condition_unknown'].includes(findRefusal(rule, asItIs(page, at))));

const isOlder = ({ createdAt }: Page, at: Date) => createdAt.getTime() <= at.getTime() - MINUTE_MS;
