import { DAY_LENGTH, DAY_MS, dayInUtc } from '@/lib/time';

/**
 * Compares a Notion date with another, both in ISO 8601: negative when the first is earlier. Compared with a day, a
 * time counts as the day in its own offset; compared with a time, a day counts as its beginning in UTC.
 */
export function compareDates(date: string, other: string): number {
  if (other.length > DAY_LENGTH) return Date.parse(date) - Date.parse(other);
  return Date.parse(date.slice(0, DAY_LENGTH)) - Date.parse(other);
}

/**
 * Whether a Notion date is between two numbers of days from a time; negative numbers are before it. A date without a
 * time is compared by days in UTC, a date with a time exactly.
 */
export function isWithin(date: string, at: Date, [first, last]: [number, number]): boolean {
  const isDay = date.length <= DAY_LENGTH;
  const now = isDay ? Date.parse(dayInUtc(at)) : at.getTime();
  const time = Date.parse(date);
  return time >= now + first * DAY_MS && time <= now + last * DAY_MS;
}
