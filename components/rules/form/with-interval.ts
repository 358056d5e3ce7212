import type { Summary } from '@/lib/features/calendar/schema';
import { MORNING } from './schedule-draft';

/** A summary with another interval, keeping its time and day of the week where the new one has them. */
export function withInterval(schedule: Summary, every: Summary['every']): Summary {
  const { at = MORNING, weekday = 1, sort, skipEmpty } = schedule;
  return {
    every,
    ...(every !== 'hour' && { at }),
    ...(every === 'week' && { weekday }),
    ...(sort && { sort }),
    skipEmpty,
  };
}
