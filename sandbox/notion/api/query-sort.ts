import { z } from 'zod';
import { invalid } from '../notion-error';
import type { Database, Row } from '../notion-state';
import { isNamed, optionsOf, type Property } from '../property';
import type { Caller } from './caller';
import { type Comparable, comparableOf } from './comparable';

const direction = z.enum(['ascending', 'descending']);
export const sortsSchema = z
  .array(
    z.union([
      z.strictObject({ property: z.string(), direction }),
      z.strictObject({ timestamp: z.enum(['created_time', 'last_edited_time']), direction }),
    ]),
  )
  .max(100);
type Sorts = z.infer<typeof sortsSchema>;

/** Rows in the requested order; earlier sorts win, and empty values come last. */
export function sortedRows(caller: Caller, database: Database, rows: Row[], sorts: Sorts = []): Row[] {
  const orders = sorts.map((sort) => {
    const property =
      'property' in sort ? requireProperty(caller, database, sort.property) : timestamp(sort.timestamp);
    const sign = sort.direction === 'ascending' ? 1 : -1;
    return (a: Row, b: Row) =>
      compare(
        rank(property, comparableOf(caller, a, property)),
        rank(property, comparableOf(caller, b, property)),
        sign,
      );
  });
  return rows.toSorted((a, b) => orders.reduce((result, order) => result || order(a, b), 0));
}

function requireProperty(caller: Caller, database: Database, given: string): Property {
  const property = caller.properties(database).find((each) => isNamed(each, given));
  if (!property) throw invalid(`Could not find sort property with name or id: ${given}`);
  return property;
}

function timestamp(type: 'created_time' | 'last_edited_time'): Property {
  return { id: type, name: type, description: null, type };
}

/** Options sort by their position in the schema, not alphabetically. */
function rank(property: Property, value: Comparable): Comparable {
  if (property.type !== 'select' && property.type !== 'status') return value;
  return value === null ? null : optionsOf(property).findIndex((each) => each.name === value);
}

function compare(a: Comparable, b: Comparable, sign: number): number {
  const [left, right] = [a, b].map((value) => (Array.isArray(value) ? value.join(',') || null : value));
  if (left === right) return 0;
  if (left === null || left === undefined) return 1;
  if (right === null || right === undefined) return -1;
  if (typeof left === 'string') return sign * left.localeCompare(String(right));
  return sign * (Number(left) - Number(right));
}
