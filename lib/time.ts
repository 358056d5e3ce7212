export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Milliseconds left of a span of time; negative once it is over. */
export type TimeLeft = () => number;

/**
 * A countdown of this many milliseconds that also runs while the process is paused. Of two clocks the one that has
 * advanced further counts: the monotonic one may stop while the machine sleeps, and the wall clock may be set back.
 */
export function timeLeft(ms: number): TimeLeft {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => ms - Math.max(performance.now() - steady, Date.now() - wall);
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
