import type { Schedule } from '../calendar/schema';

/** The properties that a schedule names. */
export function propertiesIn(schedule: Schedule | null): string[] {
  if (!schedule) return [];
  if ('every' in schedule) return schedule.sort ? [schedule.sort.propertyId] : [];
  return 'propertyId' in schedule ? [schedule.propertyId] : [];
}

/** An exported schedule with the ids of this account. What is not here keeps its id, and is among the problems. */
export function matchSchedule(
  schedule: Schedule | null,
  property: (id: string) => string | undefined,
): Schedule | null {
  if (!schedule) return null;
  if ('every' in schedule) {
    const { sort } = schedule;
    if (!sort) return schedule;
    return { ...schedule, sort: { ...sort, propertyId: property(sort.propertyId) ?? sort.propertyId } };
  }
  if (!('propertyId' in schedule)) return schedule;
  return { ...schedule, propertyId: property(schedule.propertyId) ?? schedule.propertyId };
}
