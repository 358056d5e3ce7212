import { DAY_MS, MINUTE_MS } from '@/lib/time';
import { type Clock, nextDigest, quietUntil } from '../calendar/calendar';
import { dateInZone, startOfDate } from '../calendar/local-dates';
import type { Schedule } from '../calendar/schema';

// Quiet hours last for a day at most, which has 25 hours when clocks are set back.
const LONGEST_WAIT_MS = 2 * DAY_MS;

// Workers look each minute by their own clocks, so that one could see a run of 23:59 only after midnight.
const LATE_MS = 10 * MINUTE_MS;

/** A run of a rule: the time in its schedule, and when it is due, which may be later because of quiet hours. */
export interface Run {
  nominalAt: Date;
  dueAt: Date;
}

/** What determines the runs of a rule. */
export interface ScheduledRule {
  schedule: Schedule;
  urgent: boolean;
}

/**
 * The first run of a rule after a time. A summary waits for the end of quiet hours and shows pages as they are then.
 * Rules about single pages run in quiet hours too, and tell later what they found.
 */
export function nextRun({ schedule, urgent }: ScheduledRule, clock: Clock, after: Date): Run {
  const timing =
    'every' in schedule
      ? { kind: 'digest' as const, every: schedule.every, at: schedule.at, weekday: schedule.weekday }
      : { kind: 'digest' as const, every: 'day' as const, at: schedule.at };
  const nominalAt = nextDigest(timing, clock.timeZone, after);
  return { nominalAt, dueAt: quietEndFor({ schedule, urgent }, clock, nominalAt) ?? nominalAt };
}

/** Until when a rule must not run because of quiet hours; null if it may. */
const quietEndFor = ({ schedule, urgent }: ScheduledRule, clock: Clock, moment: Date): Date | null =>
  'every' in schedule && !urgent ? quietUntil(clock, moment) : null;

/**
 * What becomes of a due run: the run to make now, if any, and the next one. A missed run is made up for on the same day
 * by the account's clock, or within ten minutes, but not later. Of several missed runs only one is made. A summary that
 * is made up for in quiet hours waits for their end.
 */
export function runNow(
  rule: ScheduledRule,
  clock: Clock,
  { stored, now }: { stored: Run; now: Date },
): { run: Run | null; next: Run } {
  const today = dateInZone(now, clock.timeZone);
  const isInTime = ({ dueAt }: Run) =>
    dateInZone(dueAt, clock.timeZone) === today || now.getTime() - dueAt.getTime() < LATE_MS;
  const first = isInTime(stored) ? stored : firstOf(rule, clock, { today, missed: stored, isInTime });
  const run = first.dueAt <= now && isInTime(first) ? first : null;
  if (!run) return { run, next: first };
  const quietEnd = quietEndFor(rule, clock, now);
  if (quietEnd) return { run: null, next: { ...run, dueAt: quietEnd } };
  return { run, next: nextRun(rule, clock, run.nominalAt > now ? run.nominalAt : now) };
}

interface Missed {
  today: string;
  missed: Run;
  isInTime: (run: Run) => boolean;
}

/** The first run after a missed one that is in time; quiet hours may have put it off until now. */
function firstOf(rule: ScheduledRule, clock: Clock, { today, missed, isInTime }: Missed): Run {
  const start = startOfDate(today, clock.timeZone);
  const from = Math.max(start.getTime() - LONGEST_WAIT_MS, missed.nominalAt.getTime());
  let run = nextRun(rule, clock, new Date(from));
  while (!isInTime(run)) run = nextRun(rule, clock, run.nominalAt);
  return run;
}
