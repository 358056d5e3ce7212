import type { Schedule } from '../calendar/schema';
import { completeOptionIds, schemaOf, statusPropertyOf } from '../workspaces/database-schema';
import type { CardInput } from './card-input';

/**
 * What the buttons of a rule's cards need to know, if the rule reminds of a date that can be moved; undefined for all
 * other rules.
 */
export function reminderOfRule(
  rule: { id: string; schedule: unknown },
  database: { properties: unknown; statusPropertyId: string | null } | null,
): CardInput['reminder'] {
  // Written only by rule commands, from this very type.
  const schedule = rule.schedule as Schedule | null;
  if (!database || !schedule || !('propertyId' in schedule)) return undefined;
  const property = schemaOf(database).find(({ id }) => id === schedule.propertyId);
  if (property?.type !== 'date') return undefined;
  const status = statusPropertyOf(database);
  const { propertyId } = schedule;
  return {
    ruleId: rule.id,
    propertyId,
    canComplete: status !== undefined && completeOptionIds(status).length > 0,
  };
}
