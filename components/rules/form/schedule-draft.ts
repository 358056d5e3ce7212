import type { Schedule } from '@/lib/features/calendar/schema';
import type { EventType } from '@/lib/features/matching/schema';
import type { Property } from '@/lib/features/workspaces/schema';

export const MORNING = '09:00';

/** The server's limits. */
export const MAX_DAYS = { date_near: 30, page_untouched: 365 };

/** The initial schedule of a rule for these events; null for events without a clock. The date is still to be chosen. */
export function initialSchedule(eventType: EventType): Schedule | null {
  switch (eventType) {
    case 'date_near':
      return { propertyId: '', days: 1, at: MORNING };
    case 'page_untouched':
      return { days: 7, at: MORNING };
    case 'summary':
      return { every: 'workday', at: MORNING, skipEmpty: true };
    default:
      return null;
  }
}

/** The date property offered first; undefined while there is none. */
export const firstDate = (properties: Property[]) => properties.find(({ type }) => type === 'date')?.id;

/** The schedule without a property of an earlier database, or one that is gone. */
export function withoutProperty(schedule: Schedule | null): Schedule | null {
  if (schedule && 'every' in schedule) {
    const { sort: _, ...rest } = schedule;
    return rest;
  }
  return schedule && 'propertyId' in schedule ? { ...schedule, propertyId: '' } : schedule;
}

/** The property that a schedule refers to; empty for none. */
export function propertyIn(schedule: Schedule | null): string {
  if (!schedule) return '';
  if ('every' in schedule) return schedule.sort?.propertyId ?? '';
  return 'propertyId' in schedule ? schedule.propertyId : '';
}

/** The id of the incomplete control of a schedule; null for none. */
export function findGap(schedule: Schedule | null): 'rule-schedule-date' | 'rule-schedule-days' | null {
  if (!schedule || 'every' in schedule) return null;
  if ('propertyId' in schedule && schedule.propertyId === '') return 'rule-schedule-date';
  const [least, most] = 'propertyId' in schedule ? [0, MAX_DAYS.date_near] : [1, MAX_DAYS.page_untouched];
  const days = Math.abs(schedule.days);
  return Number.isInteger(days) && days >= least && days <= most ? null : 'rule-schedule-days';
}
