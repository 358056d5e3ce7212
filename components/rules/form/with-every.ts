import type { Summary } from '@/lib/features/calendar/schema';
import { MORNING } from './schedule-draft';

/** A summary with another beat, and with the time and the day of the week as far as it has them. */
export function withEvery(schedule: Summary, every: Summary['every']): Summary {
  const { at = MORNING, weekday = 1, sort, skipEmpty } = schedule;
  return {
    every,
    ...(every !== 'hour' && { at }),
    ...(every === 'week' && { weekday }),
    ...(sort && { sort }),
    skipEmpty,
  };
}
