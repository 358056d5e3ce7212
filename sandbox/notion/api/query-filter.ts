import { z } from 'zod';
import { invalid } from '../notion-error';
import type { Database, Row } from '../notion-state';
import { isNamed, optionsOf, type Property } from '../property';
import type { Caller } from './caller';
import { comparableOf } from './comparable';
import { type ConditionKind, conditionSchema, holds } from './filter-condition';
import { check } from './request-body';

type Test = (row: Row) => boolean;

const KINDS: Partial<Record<Property['type'], ConditionKind>> = {
  title: 'text',
  rich_text: 'text',
  url: 'text',
  email: 'text',
  phone_number: 'text',
  number: 'number',
  unique_id: 'number',
  formula: 'number',
  checkbox: 'checkbox',
  select: 'option',
  status: 'option',
  multi_select: 'list',
  people: 'list',
  relation: 'list',
  created_by: 'list',
  last_edited_by: 'list',
  files: 'existence',
  date: 'date',
  created_time: 'date',
  last_edited_time: 'date',
};
const MAX_DEPTH = 2;

const groupSchema = z.union([
  z.strictObject({ and: z.array(z.unknown()).max(100) }),
  z.strictObject({ or: z.array(z.unknown()).max(100) }),
]);

/** Turns the `filter` of a query into a predicate of rows; refuses what Notion refuses. */
export function rowTest(caller: Caller, database: Database, filter: unknown, depth = 0): Test {
  if (filter === undefined) return () => true;
  const keys = typeof filter === 'object' && filter !== null ? Object.keys(filter) : [];
  if (!keys.includes('and') && !keys.includes('or')) return leafTest(caller, database, filter);
  if (depth >= MAX_DEPTH)
    throw invalid('body failed validation: body.filter: filters nest at most two levels deep.');
  const group = check(groupSchema, filter, 'body.filter');
  const parts = 'and' in group ? group.and : group.or;
  const tests = parts.map((part) => rowTest(caller, database, part, depth + 1));
  return 'and' in group
    ? (row) => tests.every((test) => test(row))
    : (row) => tests.some((test) => test(row));
}

function leafTest(caller: Caller, database: Database, filter: unknown): Test {
  const leaf = check(
    z.looseObject({ property: z.string().optional(), timestamp: z.string().optional() }),
    filter,
    'body.filter',
  );
  if (leaf.timestamp !== undefined) return timestampTest(caller, leaf);
  const property = caller.properties(database).find((each) => isNamed(each, leaf.property ?? ''));
  if (!property) throw invalid(`Could not find property with name or id: ${leaf.property}`);
  const kind = KINDS[property.type];
  if (!kind) throw invalid(`The sandbox does not filter by ${property.type} properties.`);
  const shape = z.strictObject({
    property: z.string(),
    type: z.string().optional(),
    [property.type]: z.unknown(),
  });
  const given = check(shape, filter, 'body.filter')[property.type];
  if (given === undefined)
    throw invalid(
      `database property ${property.name} does not match filter: it is of type ${property.type}.`,
    );
  const inner =
    property.type === 'formula'
      ? check(z.strictObject({ number: z.unknown() }), given, 'body.filter.formula').number
      : given;
  const condition = check(conditionSchema(kind), inner, `body.filter.${property.type}`);
  requireKnownOptions(property, condition);
  const now = caller.world.context.now();
  return (row) => holds(kind, resolveMe(caller, condition), comparableOf(caller, row, property), now);
}

function timestampTest(caller: Caller, leaf: Record<string, unknown>): Test {
  const schema = z.union([
    z.strictObject({
      timestamp: z.literal('last_edited_time'),
      type: z.string().optional(),
      last_edited_time: conditionSchema('date'),
    }),
    z.strictObject({
      timestamp: z.literal('created_time'),
      type: z.string().optional(),
      created_time: conditionSchema('date'),
    }),
  ]);
  const parsed = check(schema, leaf, 'body.filter');
  const { timestamp } = parsed;
  const condition = 'created_time' in parsed ? parsed.created_time : parsed.last_edited_time;
  const property: Property = { id: timestamp, name: timestamp, description: null, type: timestamp };
  const now = caller.world.context.now();
  return (row) => holds('date', condition, comparableOf(caller, row, property), now);
}

function requireKnownOptions(property: Property, condition: Record<string, unknown>): void {
  if (!('options' in property)) return;
  const names = Object.values(condition).flatMap((given) => (Array.isArray(given) ? given : [given]));
  for (const name of names)
    if (typeof name === 'string' && !optionsOf(property).some((each) => each.name === name))
      throw invalid(`${property.type} option "${name}" not found for property "${property.name}".`);
}

function resolveMe(caller: Caller, condition: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(condition).map(([key, given]) => [
      key,
      given === 'me' ? caller.authorization.personId : given,
    ]),
  );
}
