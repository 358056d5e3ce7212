import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import { isUncomputed, type PropertyValue } from '@/lib/integrations/notion/property-value';

/**
 * The value that a property had before; null when it is unknown. It counts as unknown if the property has another type
 * since, because Notion then converts the values of all pages, and a value cannot be compared with its converted form.
 * It also counts as unknown if Notion could not compute it: older versions stored such a value as an empty one.
 */
export function oldValue<Value extends PropertyValue>(
  before: Record<string, Value> | null,
  propertyId: string,
  after: PropertyValue,
): Value | null {
  const kept = before?.[propertyId];
  if (!kept || isUncomputed(kept)) return null;
  return kept.type === after.type || isSameValue(kept, after) ? kept : null;
}
