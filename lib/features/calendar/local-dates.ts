import { Temporal } from 'temporal-polyfill';
import { DAY_LENGTH, DAY_MS } from '@/lib/time';

/** The date in a time zone at a moment, such as "2026-11-24". */
export const dateInZone = (moment: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();

/** The date this many days later. */
export const addDays = (date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString();

/** How many days later than one date another is; negative if it is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;

/** The first moment of a date in a time zone. */
export const startOfDate = (date: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds);

/**
 * The date of a Notion date in a time zone; a date without a time is the same in every zone. Null for any other text.
 */
export function localDateOf(date: string, timeZone: string): string | null {
  const at = Date.parse(date);
  if (Number.isNaN(at)) return null;
  return date.length === DAY_LENGTH ? date : dateInZone(new Date(at), timeZone);
}

/** The moment this many times 24 hours before another. */
export const daysBefore = (moment: Date, days: number): Date => new Date(moment.getTime() - days * DAY_MS);
