import { Temporal } from 'temporal-polyfill';
import type { QuietHours, Timing } from './schema';

/** An account's time zone and quiet hours. */
export interface Clock {
  timeZone: string;
  quietHours: QuietHours | null;
}

/** The terms of a rule that decide when it posts. */
export interface TimedRule {
  timing: Timing;
  urgent: boolean;
}

const DAYS_AHEAD = 8;
const LAST_WORKDAY = 5;

/**
 * When something that a rule has found at `now` is told; null for at once. It waits for the rule's next digest, and for
 * the end of quiet hours. Every time of day occurs once on each date: if the clock shows it twice, the first counts; if
 * the clock skips it, it is later by as much as the clock is set forward.
 */
export function tellLaterAt({ timing, urgent }: TimedRule, clock: Clock, now: Date): Date | null {
  if (timing.kind === 'now' && urgent) return null;
  const digestAt = timing.kind === 'now' ? now : nextDigest(timing, clock.timeZone, now);
  const at = quietUntil(clock, digestAt) ?? digestAt;
  return at > now ? at : null;
}

/** When the next digest is due after `now`. */
export function nextDigest(timing: Extract<Timing, { kind: 'digest' }>, timeZone: string, now: Date): Date {
  const here = inZone(now, timeZone);
  const { every, at = '00:00', weekday } = timing;
  if (every === 'hour') return nextFullHour(here);
  const isDay = ({ dayOfWeek }: Temporal.PlainDate) =>
    every === 'day' || (every === 'workday' ? dayOfWeek <= LAST_WORKDAY : dayOfWeek === weekday);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const date = here.toPlainDate().add({ days: ahead });
    const then = toDate(momentOf(date, at, timeZone, 'compatible'));
    if (isDay(date) && then > now) return then;
  }
  throw new Error(`No digest each ${every} in ${DAYS_AHEAD} days`);
}

function nextFullHour(here: Temporal.ZonedDateTime): Date {
  const [next, oneLater] = [1, 2].map((hours) =>
    toDate(here.add({ hours }).round({ smallestUnit: 'hour', roundingMode: 'floor' })),
  ) as [Date, Date];
  // A clock that is set back into the middle of an hour does not show the beginning of that hour again.
  return next > toDate(here) ? next : oneLater;
}

/**
 * When the quiet hours around a moment end; null outside of quiet hours. They begin the first time that the clock shows
 * their beginning, and end the last time that it shows their end.
 */
export function quietUntil({ timeZone, quietHours }: Clock, moment: Date): Date | null {
  if (!quietHours) return null;
  const { from, to, days } = quietHours;
  const today = inZone(moment, timeZone).toPlainDate();
  for (const back of [1, 0]) {
    const date = today.subtract({ days: back });
    if (!days.includes(date.dayOfWeek)) continue;
    const start = toDate(momentOf(date, from, timeZone, 'compatible'));
    const last = from > to ? date.add({ days: 1 }) : date;
    const end = toDate(momentOf(last, to, timeZone, 'later'));
    if (start <= moment && moment < end) return end;
  }
  return null;
}

/** A moment in a time zone, such as "09:00", with the day if that is not the day of `now`. */
export function timeInZone(moment: Date, timeZone: string, now: Date): string {
  const [then, here] = [inZone(moment, timeZone), inZone(now, timeZone)];
  const time = then.toPlainTime().toString({ smallestUnit: 'minute' });
  if (then.toPlainDate().equals(here.toPlainDate())) return time;
  const day = then.toLocaleString('en-US', { weekday: 'long', month: 'short', day: 'numeric' });
  return `${time} on ${day}`;
}

const inZone = (moment: Date, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone);

const toDate = ({ epochMilliseconds }: Temporal.ZonedDateTime) => new Date(epochMilliseconds);

function momentOf(
  date: Temporal.PlainDate,
  time: string,
  timeZone: string,
  disambiguation: 'compatible' | 'later',
): Temporal.ZonedDateTime {
  return date.toPlainDateTime(Temporal.PlainTime.from(time)).toZonedDateTime(timeZone, { disambiguation });
}
