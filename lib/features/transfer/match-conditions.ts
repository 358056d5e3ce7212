import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { Condition, Conditions, Value } from '../matching/schema';
import { kindOf } from '../matching/words';
import type { ExportedRule } from './schema';

/** Finds the id here of an exported id; null if there is none, which is then reported as a problem. */
export interface Finders {
  property: (id: string) => string | null;
  person: (id: string) => string | null;
  /** A page in the property with this name. */
  page: (id: string, property: string) => string | null;
}

/** Exported conditions with the ids of this account. An option whose id is unknown here is found by its name. */
export function matchConditions(
  { conditions, names }: Pick<ExportedRule, 'conditions' | 'names'>,
  schema: SchemaProperty[],
  find: Finders,
): Conditions {
  const items = conditions.items.flatMap((item): Condition[] => {
    const propertyId = find.property(item.propertyId);
    const property = schema.find(({ id }) => id === propertyId);
    if (propertyId === null || !property) return [];
    const here = (values: Value[]) =>
      values.flatMap((value): Value | Value[] => {
        const kind = kindOf(property.type);
        if (typeof value !== 'string') return value;
        if (kind === 'people') return find.person(value) ?? [];
        if (kind === 'pages') return find.page(value, property.name) ?? [];
        const isOption = kind === 'option' || kind === 'options';
        const isHere = property.options.some(({ id }) => id === value);
        return isOption && !isHere ? (names.options[value] ?? value) : value;
      });
    if ('from' in item) return [{ ...item, propertyId, from: here(item.from), to: here(item.to) }];
    return ['values' in item ? { ...item, propertyId, values: here(item.values) } : { ...item, propertyId }];
  });
  return { match: conditions.match, items };
}
