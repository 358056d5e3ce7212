import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { Condition, Conditions } from '../matching/schema';
import { kindOf, OPERATORS_OF } from '../matching/words';
import { formerNamesOf } from '../workspaces/database-schema';
import {
  expectedOf,
  findProperty,
  hasOptions,
  type KnownDatabase,
  optionName,
  valuesOf,
} from './condition-references';

/** A property or an option in a condition that the database no longer has, or has with another type. */
interface GoneReference {
  /** The property's id, or the option as the API returns it. */
  id: string;
  text: string;
}

/** What stored conditions name and the database no longer has, and the properties to which they no longer fit. */
export function findGone({ items }: Conditions, database: KnownDatabase): GoneReference[] {
  return items.flatMap((item): GoneReference[] => {
    const property = findProperty(database, item.propertyId);
    if (!property) {
      const name = formerNamesOf(database)[item.propertyId];
      const what = name ? `The property "${name}"` : 'A property';
      return [
        { id: item.propertyId, text: `${what} was deleted in Notion: its condition cannot be met any more.` },
      ];
    }
    if (isOfOtherType(item, property, database)) {
      const text = `The property "${property.name}" was changed to another type in Notion: its condition does not fit it any more.`;
      return [{ id: property.id, text }];
    }
    if (!hasOptions(property)) return [];
    return valuesOf(item).flatMap((value) => {
      if (property.options.some(({ id }) => id === value)) return [];
      const id = optionName(database, property.id, value) ?? '';
      const text = `The option "${id}" of "${property.name}" was deleted in Notion: no page can have it any more.`;
      return [{ id, text }];
    });
  });
}

/** Whether a condition was written while its property had another type, and does not fit the one that it has now. */
function isOfOtherType(item: Condition, property: SchemaProperty, database: KnownDatabase): boolean {
  const { operator } = item;
  if (!OPERATORS_OF[kindOf(property.type)].includes(operator)) return true;
  if (hasOptions(property)) return valuesOf(item).some((value) => typeof value !== 'string');
  const { schema } = expectedOf(operator, property, []);
  const wasOption = (value: unknown) => formerNamesOf(database)[String(value)] !== undefined;
  return valuesOf(item).some((value) => wasOption(value) || !schema.safeParse(value).success);
}
