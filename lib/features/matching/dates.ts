import { DAY_MS } from '@/lib/time';

const DAY_LENGTH = '2026-11-24'.length;

/**
 * How a date of Notion compares with another, both in ISO 8601: negative when it is before it. Compared with a day, a time
 * counts as the day on which it is where it was written; compared with a time, a day counts from its beginning in UTC.
 */
export function compareDates(date: string, other: string): number {
  if (other.length > DAY_LENGTH) return Date.parse(date) - Date.parse(other);
  return Date.parse(date.slice(0, DAY_LENGTH)) - Date.parse(other);
}

/**
 * Whether a date of Notion is between two numbers of days from a time, negative ones before it. Days count in UTC, from
 * the one on which the time is; a date with a time counts to the moment.
 */
export function isWithin(date: string, at: Date, [first, last]: [number, number]): boolean {
  const isDay = date.length <= DAY_LENGTH;
  const now = isDay ? Date.parse(at.toISOString().slice(0, DAY_LENGTH)) : at.getTime();
  const time = Date.parse(date);
  return time >= now + first * DAY_MS && time <= now + last * DAY_MS;
}
