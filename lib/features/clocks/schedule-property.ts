import { AppError } from '@/lib/errors';
import type { Schedule } from '../calendar/schema';
import { kindOf } from '../matching/words';
import { findReferred, formerNamesOf, schemaOf, whyNoProperty } from '../workspaces/database-schema';

interface KnownDatabase {
  name: string;
  properties: unknown;
  formerNames: unknown;
}

/** The property of the database that a schedule refers to; null for none. */
export function propertyOf(schedule: Schedule | null): string | null {
  if (!schedule) return null;
  if ('propertyId' in schedule) return schedule.propertyId;
  return 'every' in schedule ? (schedule.sort?.propertyId ?? null) : null;
}

/** Replaces the property that a schedule refers to. */
export function withProperty(schedule: Schedule, propertyId: string): Schedule {
  if ('propertyId' in schedule) return { ...schedule, propertyId };
  return 'every' in schedule && schedule.sort
    ? { ...schedule, sort: { ...schedule.sort, propertyId } }
    : schedule;
}

/**
 * Replaces the schedule's property, an id or a name, by its id. Throws `invalid_input` for a property that the database
 * does not have, or that is no date where a date is needed.
 */
export function resolveSchedule(schedule: Schedule | null, database: KnownDatabase): Schedule | null {
  const reference = propertyOf(schedule);
  if (!schedule || reference === null) return schedule;
  const property = findReferred(schemaOf(database), reference);
  const field = 'propertyId' in schedule ? 'schedule.propertyId' : 'schedule.sort.propertyId';
  if (!property) throw refused(field, whyNoProperty(database, reference));
  if ('propertyId' in schedule && !mayHoldDate(property))
    throw refused(field, `"${property.name}" holds no date`);
  return withProperty(schedule, property.id);
}

/** Whether values of a property may be dates. Only a page tells what its formulas and rollups result in. */
export const mayHoldDate = ({ type }: { type: string }): boolean => ['date', 'result'].includes(kindOf(type));

const refused = (field: string, why: string) => new AppError('invalid_input', `${field}: ${why}.`);

/**
 * The property of a schedule that its database no longer has, or that holds no dates any more, with a sentence about it;
 * null if it is there.
 */
export function goneFromSchedule(
  schedule: Schedule | null,
  database: { properties: unknown; formerNames: unknown },
): { id: string; text: string } | null {
  const id = propertyOf(schedule);
  if (!schedule || id === null) return null;
  const now = schemaOf(database).find((property) => property.id === id);
  if (!now) {
    const name = formerNamesOf(database)[id];
    const what = name ? `The property "${name}"` : 'A property';
    const then =
      'propertyId' in schedule
        ? 'whose date the rule reminds of was deleted in Notion: nothing is posted any more.'
        : 'by which the summary is sorted was deleted in Notion: it is sorted by titles.';
    return { id, text: `${what} ${then}` };
  }
  if (!('propertyId' in schedule) || mayHoldDate(now)) return null;
  const text = `The property "${now.name}" of which the rule reminds was changed in Notion and holds no dates any more: nothing is posted.`;
  return { id, text };
}
