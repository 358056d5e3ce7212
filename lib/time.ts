export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds left of a span of time; negative once it is over. */
export type TimeLeft = () => number;

/**
 * A countdown of this many milliseconds that also runs while the process is paused. Uses the clock that has advanced
 * further: the monotonic one may stop while the machine sleeps, and the wall clock may be set back.
 */
export function timeLeft(ms: number): TimeLeft {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => ms - Math.max(performance.now() - steady, Date.now() - wall);
}

/**
 * Whether a stored time is less than this many milliseconds ago. One in the future was stored before the clock was set
 * back, unless it is as close: clocks of different hosts differ a little.
 */
export const isRecent = (at: Date, ms: number): boolean => Math.abs(Date.now() - at.getTime()) < ms;

/** The earliest of some times; null when there is none. */
export function earliest(dates: (Date | null)[]): Date | null {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`;

/** "Just now", "5 minutes ago", "1 hour ago" or "3 days ago"; a future time reads as now. */
export function relativeTime(at: Date, now: Date): string {
  const elapsedMs = now.getTime() - at.getTime();
  if (elapsedMs < MINUTE_MS) return 'Just now';
  if (elapsedMs < HOUR_MS) return plural(Math.floor(elapsedMs / MINUTE_MS), 'minute');
  if (elapsedMs < DAY_MS) return plural(Math.floor(elapsedMs / HOUR_MS), 'hour');
  return plural(Math.floor(elapsedMs / DAY_MS), 'day');
}

/** Whole days from now to `end`, counting a started day as one; 0 or less once it has passed. */
export function daysLeft(end: Date, now: Date): number {
  return Math.ceil((end.getTime() - now.getTime()) / DAY_MS);
}

/**
 * The monthly period around `now` that starts on the day of `anchor` (UTC). An anchor on the 31st falls on the last day
 * of shorter months.
 */
export function monthlyPeriod(anchor: Date, now: Date): { start: Date; end: Date } {
  const monthsApart =
    (now.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + now.getUTCMonth() - anchor.getUTCMonth();
  const current = addMonths(anchor, monthsApart);
  return current <= now
    ? { start: current, end: addMonths(anchor, monthsApart + 1) }
    : { start: addMonths(anchor, monthsApart - 1), end: current };
}

function addMonths(anchor: Date, months: number): Date {
  const year = anchor.getUTCFullYear();
  const month = anchor.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay)));
}

/** A time in ISO 8601; null for the epoch, which stands for never. */
export const isoUnlessEpoch = (at: Date) => (at.getTime() === 0 ? null : at.toISOString());

const INSTANT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/;
const DAY_IN_WORDS = /[A-Z][a-z]{2} \d{1,2}, \d{4}/;

/** Rewrites each time in a text that consists only of times in ISO 8601. Any other text stays as it is. */
export const rewriteInstants = (text: string, write: (at: Date) => string) =>
  rewriteMoments(text, INSTANT, (iso) => new Date(iso), write);

/**
 * Rewrites each day in a text that consists only of days in the form of `dayInWords`; `write` gets the day's midnight
 * in UTC. Any other text stays as it is.
 */
export const rewriteDays = (text: string, write: (midnight: Date) => string) =>
  rewriteMoments(text, DAY_IN_WORDS, (words) => new Date(`${words} UTC`), write);

function rewriteMoments(
  text: string,
  moment: RegExp,
  parse: (found: string) => Date,
  write: (at: Date) => string,
): string {
  const only = new RegExp(`^${moment.source}(?:(?: → |, )${moment.source})*$`);
  if (!only.test(text)) return text;
  return text.replace(new RegExp(moment, 'g'), (found) => {
    const at = parse(found);
    return Number.isNaN(at.getTime()) ? found : write(at);
  });
}

/**
 * Returns a function that writes moments for a locale, or for the reader's own. It makes its formatter at the first
 * use, because that takes long and would delay the first display of a page.
 */
export function dateWriter(
  locale: string | undefined,
  options: Intl.DateTimeFormatOptions,
): (at: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat(locale, options);
    return format.format(at);
  };
}

const writeDay = dateWriter('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** A date without a time, such as "2026-11-24", in words: "Nov 24, 2026". Any other text stays as it is. */
export function dayInWords(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : writeDay(at);
}

/** The length of a date without a time. */
export const DAY_LENGTH = '2026-11-24'.length;

/** The day of a time in UTC, such as "2026-11-24". */
export const dayInUtc = (at: Date) => at.toISOString().slice(0, DAY_LENGTH);

/** Whether the text is an existing day, written as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayInUtc(new Date(time)) === text;
}

/** The beginning of the minute, to which Notion rounds the times of pages and comments. */
export const toMinute = (atMs: number) => new Date(Math.floor(atMs / MINUTE_MS) * MINUTE_MS);
