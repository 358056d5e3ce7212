import type { Schedule, Summary } from '@/lib/features/calendar/schema';
import type { Property } from '@/lib/features/connections/schema';
import type { EventType } from '@/lib/features/matching/schema';

export const MORNING = '09:00';

/** As many as the server takes. */
export const MOST_DAYS = { date_near: 30, page_untouched: 365 };

/** What a rule for these events begins with; null for events that no clock fires. The first date is meant, if any. */
export function initialSchedule(eventType: EventType, properties: Property[]): Schedule | null {
  switch (eventType) {
    case 'date_near':
      return { propertyId: properties.find(({ type }) => type === 'date')?.id ?? '', days: 1, at: MORNING };
    case 'page_untouched':
      return { days: 7, at: MORNING };
    case 'summary':
      return { every: 'workday', at: MORNING, skipEmpty: true };
    default:
      return null;
  }
}

/** The schedule without properties of the database that was chosen before, or without one that is gone. */
export function withoutProperty(schedule: Schedule | null): Schedule | null {
  if (schedule && 'every' in schedule) {
    const { sort: _, ...rest } = schedule;
    return rest;
  }
  return schedule && 'propertyId' in schedule ? { ...schedule, propertyId: '' } : schedule;
}

/** What keeps a schedule from being saved: the field, and what to say at it. Null for nothing. */
export function findGap(schedule: Schedule | null): { id: string; text: string } | null {
  if (!schedule || 'every' in schedule) return null;
  if ('propertyId' in schedule && schedule.propertyId === '') {
    return { id: 'rule-schedule-date', text: 'Choose a date.' };
  }
  const [least, most] = 'propertyId' in schedule ? [0, MOST_DAYS.date_near] : [1, MOST_DAYS.page_untouched];
  const days = Math.abs(schedule.days);
  if (Number.isInteger(days) && days >= least && days <= most) return null;
  return { id: 'rule-schedule-days', text: `Say how many days, from 1 to ${most}.` };
}

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

// Postgres and the server may each order the keys in their own way.
const KEYS = ['propertyId', 'days', 'every', 'at', 'weekday', 'sort', 'direction', 'skipEmpty'];

export const isSameSchedule = (one: Schedule | null, other: Schedule | null) =>
  JSON.stringify(one, KEYS) === JSON.stringify(other, KEYS);
