import type { QuietHours, Schedule, Timing } from './schema';

/** The days of the week by their numbers in ISO 8601. */
export const WEEKDAYS: Record<number, string> = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
};

/** When a rule's digest comes, such as "digest each workday at 09:00"; null when it posts at once. */
export function describeTiming(timing: Timing): string | null {
  return timing.kind === 'now' ? null : `digest ${rhythmOf(timing)}`;
}

/** When the clock fires a rule, such as "2 days before Due date at 09:00" or "summary each workday at 09:00". */
export function describeSchedule(schedule: Schedule, names: { property: (id: string) => string }): string {
  if ('every' in schedule) return `summary ${rhythmOf(schedule)}`;
  const { days, at } = schedule;
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  if (!('propertyId' in schedule)) return `nothing changed for ${count}, looked at ${at}`;
  const when = days === 0 ? 'on' : days > 0 ? `${count} before` : `${count} after`;
  return `${when} ${names.property(schedule.propertyId)} at ${at}`;
}

type Rhythm = Exclude<Timing, { kind: 'now' }> | Extract<Schedule, { every: unknown }>;

function rhythmOf({ every, at, weekday }: Rhythm): string {
  if (every === 'hour') return 'each hour';
  return `each ${every === 'week' && weekday ? WEEKDAYS[weekday] : every} at ${at}`;
}

/** Quiet hours in a sentence. */
export function describeQuietHours({ from, to, days }: QuietHours): string {
  const until = from > to ? `${to} on the next day` : to;
  return `From ${from} until ${until}, ${daysInWords(days)}.`;
}

function daysInWords(days: number[]): string {
  if (days.length === 7) return 'every day';
  const isWork = days.length === 5 && days.every((day) => day <= 5);
  if (isWork) return 'beginning on Monday to Friday';
  const names = days.flatMap((day) => WEEKDAYS[day] ?? []);
  const last = names.pop() ?? '';
  return `beginning on ${names.length > 0 ? `${names.join(', ')} and ${last}` : last}`;
}
