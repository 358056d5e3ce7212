import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from '@/lib/time';

const DAY_LENGTH = '2026-11-24'.length;

/** The date that the calendar of a time zone shows at a moment, such as "2026-11-24". */
export const dateInZone = (moment: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();

/** A date so many days later. */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

/** The first moment of a date in a time zone. */
export const startOfDate = (date: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds);

/**
 * The date on which a date of Notion is, in a time zone: a day is that day anywhere. Null for what is neither a day nor a
 * time.
 */
export function localDateOf(date: string, timeZone: string): string | null {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return null;
  return date.length === DAY_LENGTH ? date : dateInZone(new Date(at), timeZone);
}

/** How many days before a moment another one is. */
export const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * DAY_MS);
