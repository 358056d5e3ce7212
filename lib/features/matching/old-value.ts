import { isSameValue } from '@/lib/integrations/notion/bounded-value';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';

/**
 * The value that a property had before; null when it is unknown. It counts as unknown if the property has another type
 * since, because Notion then converts the values of all pages, and a value cannot be compared with its converted form.
 */
export function oldValue(
  before: Record<string, PropertyValue> | null,
  propertyId: string,
  after: PropertyValue,
): PropertyValue | null {
  const kept = before?.[propertyId];
  return kept && (kept.type === after.type || isSameValue(kept, after)) ? kept : null;
}
