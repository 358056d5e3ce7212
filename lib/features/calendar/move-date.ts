import { Temporal } from 'temporal-polyfill';
import type { NotionDate } from '@/lib/integrations/notion/notion-date';
import { hasOffset } from '@/lib/integrations/notion/with-offset';
import { DAY_LENGTH } from '@/lib/time';
import { addDays, dateInZone } from './local-dates';

const hasNoTime = (text: string) => text.length <= DAY_LENGTH;

/** Moves a date to the day `inDays` days after today in a time zone, as `moveToDay` does. */
export function moveDate(
  date: NotionDate | null,
  { inDays, timeZone, now }: { inDays: number; timeZone: string; now: Date },
): NotionDate {
  return moveToDay(date, addDays(dateInZone(now, timeZone), inDays), timeZone);
}

/**
 * Moves a date to a day such as "2026-11-30". A time keeps its time of day, in its own time zone or else in the given
 * one, and is returned with its offset. The end moves by as many days.
 */
export function moveToDay(date: NotionDate | null, day: string, timeZone: string): NotionDate {
  if (!date) return { start: day, end: null, time_zone: null };
  const zone = date.time_zone ?? timeZone;
  const from = hasNoTime(date.start) ? Temporal.PlainDate.from(date.start) : wallTime(date.start, zone);
  const { days } = dayOf(from).until(Temporal.PlainDate.from(day), { largestUnit: 'days' });
  const moved = (text: string) => {
    if (hasNoTime(text)) return Temporal.PlainDate.from(text).add({ days }).toString();
    const then = wallTime(text, zone).add({ days }).toZonedDateTime(zone);
    return then.toString({ smallestUnit: 'second', timeZoneName: 'never' });
  };
  return { ...date, start: moved(date.start), end: date.end === null ? null : moved(date.end) };
}

/** Whether two dates are the same days or moments, however they are written. */
export function isSameDate(one: NotionDate | null, other: NotionDate | null): boolean {
  if (!one || !other) return one === other;
  const same = (a: string | null, b: string | null) =>
    a === null || b === null ? a === b : momentOf(a, one.time_zone) === momentOf(b, other.time_zone);
  return same(one.start, other.start) && same(one.end, other.end);
}

/** A date as Notion accepts it: without offsets if it has a time zone. */
export function toWrite(date: NotionDate): NotionDate {
  const { time_zone: zone } = date;
  if (!zone) return date;
  const bare = (text: string) => wallTime(text, zone).toString({ smallestUnit: 'second' });
  return { ...date, start: bare(date.start), end: date.end === null ? null : bare(date.end) };
}

const dayOf = (date: Temporal.PlainDate | Temporal.PlainDateTime) =>
  'hour' in date ? date.toPlainDate() : date;

/** The local time in a zone of a time that is written with an offset or for that zone. */
function wallTime(text: string, zone: string): Temporal.PlainDateTime {
  if (!hasOffset(text)) return Temporal.PlainDateTime.from(text);
  return Temporal.Instant.from(text).toZonedDateTimeISO(zone).toPlainDateTime();
}

/** Something comparable: the text of a day, or the moment of a time. */
function momentOf(text: string, zone: string | null): string | number {
  if (hasNoTime(text)) return text;
  if (hasOffset(text)) return Temporal.Instant.from(text).epochMilliseconds;
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone ?? 'UTC').epochMilliseconds;
}
