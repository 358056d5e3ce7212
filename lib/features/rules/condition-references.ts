import { z } from 'zod';
import { AppError } from '@/lib/errors';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { notionIdSchema } from '@/lib/integrations/notion/notion-id';
import type { KnownPerson } from '../links/known-people';
import type { Condition, Conditions, EventType, Operator, Value } from '../matching/schema';
import {
  type ConditionNames,
  countsDays,
  kindOf,
  MAX_DAYS_FROM_NOW,
  OPERATOR_WORDS,
  OPERATORS_OF,
  plainValue,
} from '../matching/words';
import {
  findReferred,
  formerNamesOf,
  propertyName,
  schemaOf,
  whyNoProperty,
} from '../workspaces/database-schema';

export interface KnownDatabase {
  name: string;
  properties: unknown;
  formerNames: unknown;
}

const NOTION_UUID = notionIdSchema.pipe(z.guid());

interface Known extends KnownDatabase {
  /** The people of its workspace. */
  people: KnownPerson[];
}

/**
 * Replaces every property, option and person in conditions, given by id or by name, by its id. Throws `invalid_input`
 * for what the database does not have, and for operators and values that do not fit.
 */
export function resolveConditions(
  { match, items }: Conditions,
  eventType: EventType,
  database: Known,
): Conditions {
  return { match, items: items.map((item) => resolveCondition(item, eventType, database)) };
}

function resolveCondition(condition: Condition, eventType: EventType, database: Known): Condition {
  const { operator } = condition;
  const property = findProperty(database, condition.propertyId);
  if (!property) throw refused(`${whyNoProperty(database, condition.propertyId)}.`);
  if (!OPERATORS_OF[kindOf(property.type)].includes(operator)) {
    throw refused(`"${operator}" does not fit "${property.name}", whose type is ${property.type}.`);
  }
  if (operator === 'changed' && eventType !== 'page_updated') {
    throw refused('"changed" is for rules about updated pages: only they have old values to compare.');
  }
  const expected = expectedOf(operator, property, database.people);
  const resolve = (values: Value[]) =>
    values.map((value) => resolveValue(value, { operator, property, expected }));
  const propertyId = property.id;
  if ('from' in condition) {
    return { ...condition, propertyId, from: resolve(condition.from), to: resolve(condition.to) };
  }
  return 'values' in condition
    ? { ...condition, propertyId, values: resolve(condition.values) }
    : { ...condition, propertyId };
}

/** The property that a condition names by its id or its name. */
export const findProperty = (database: KnownDatabase, reference: string): SchemaProperty | undefined =>
  findReferred(schemaOf(database), reference);

interface Resolving {
  operator: Operator;
  property: SchemaProperty;
  expected: Expected;
}

function resolveValue(value: Value, { operator, property, expected }: Resolving): Value {
  const { expects, schema } = expected;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refused(
    `"${property.name}" ${OPERATOR_WORDS[operator]} takes ${expects}, not ${JSON.stringify(value)}.`,
  );
}

interface Expected {
  expects: string;
  schema: z.ZodType<Value>;
}

const NUMBER: Expected = { expects: 'a number', schema: z.number() };
const TEXT: Expected = { expects: 'a text', schema: z.string().min(1) };
const DATE: Expected = {
  expects: 'a date such as 2026-11-24',
  schema: z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
};
const UNIQUE_ID: Expected = {
  expects: 'a number such as 12 or BUG-12',
  schema: z.union([z.string().regex(/^(.+-)?[1-9]\d*$/), z.int().positive()]),
};
const DAYS: Expected = {
  expects: `a number of days from 0 to ${MAX_DAYS_FROM_NOW}`,
  schema: z.int().min(0).max(MAX_DAYS_FROM_NOW),
};

/** What a condition on a property can be compared with. */
export function expectedOf(operator: Operator, property: SchemaProperty, people: KnownPerson[]): Expected {
  if (countsDays(operator)) return DAYS;
  if (operator === 'before' || operator === 'after') return DATE;
  if (operator === 'greater' || operator === 'less') return NUMBER;
  switch (kindOf(property.type)) {
    case 'option':
    case 'options':
      return { expects: 'one of its options', schema: optionSchema(property) };
    case 'people':
      return { expects: 'a person in Notion, by id or name', schema: personSchema(people) };
    case 'pages':
      return { expects: 'the id of a page in Notion', schema: NOTION_UUID };
    case 'number':
      return NUMBER;
    case 'uniqueId':
      return UNIQUE_ID;
    case 'checkbox':
      return { expects: 'true or false', schema: z.boolean() };
    case 'date':
      return DATE;
    case 'result':
      return {
        expects: 'a text, a number, true or false',
        schema: z.union([TEXT.schema, z.number(), z.boolean()]),
      };
    default:
      return TEXT;
  }
}

const optionSchema = ({ options }: SchemaProperty) =>
  z.string().transform((reference, context) => {
    const option = findReferred(options, reference);
    if (option) return option.id;
    context.addIssue('There is no such option');
    return z.NEVER;
  });

// Somebody who is not listed may still stand on pages: whoever has left, and guests.
const personSchema = (people: KnownPerson[]) =>
  z.string().transform((reference, context) => {
    const person = findReferred(people, reference);
    const { data: id = person?.id } = NOTION_UUID.safeParse(reference);
    if (id !== undefined) return id;
    context.addIssue('There is no such person');
    return z.NEVER;
  });

const refused = (sentence: string) => new AppError('invalid_input', `conditions.items: ${sentence}`);

/** Stored conditions as the API returns them: options by name, everything else by id. */
export function returnedConditions({ match, items }: Conditions, database: KnownDatabase): Conditions {
  return {
    match,
    items: items.map((item): Condition => {
      const name = (value: Value) => optionName(database, item.propertyId, value) ?? value;
      if ('from' in item) return { ...item, from: item.from.map(name), to: item.to.map(name) };
      return 'values' in item ? { ...item, values: item.values.map(name) } : item;
    }),
  };
}

/** Names the properties and values of stored conditions. `people` has the names of Notion users by id. */
export function conditionNames(database: KnownDatabase, people: Map<string, string>): ConditionNames {
  return {
    property: (id) => propertyName(database, id),
    value: (propertyId, value) => {
      const option = optionName(database, propertyId, value);
      if (option !== null) return option;
      const kind = kindOf(findProperty(database, propertyId)?.type ?? '');
      if (kind === 'people') return people.get(String(value)) ?? 'somebody who left';
      return kind === 'pages' ? 'a chosen page' : plainValue(value);
    },
  };
}

/** The current or last known name of a stored option; null for a value of another kind. */
export function optionName(database: KnownDatabase, propertyId: string, value: Value): string | null {
  const property = findProperty(database, propertyId);
  const known = property?.options.find(({ id }) => id === value)?.name;
  // An option keeps its last name when its property is deleted or changed to another type.
  const name = known ?? formerNamesOf(database)[String(value)];
  return name ?? (property && hasOptions(property) ? String(value) : null);
}

/** Whether conditions on a property are compared with its options. */
export const hasOptions = ({ type }: { type: string }): boolean =>
  ['option', 'options'].includes(kindOf(type));

/** The current or last known names of the options in stored conditions, by their ids. */
export function namesOfOptions({ items }: Conditions, database: KnownDatabase): Record<string, string> {
  const named = items.flatMap((item) =>
    valuesOf(item).flatMap((value) => {
      const name = optionName(database, item.propertyId, value);
      return name === null ? [] : [[String(value), name] as const];
    }),
  );
  return Object.fromEntries(named);
}

/** Everything that conditions compare with. */
export const valuesIn = ({ items }: Conditions): Value[] => items.flatMap(valuesOf);

/** Everything that a condition compares with. */
export function valuesOf(condition: Condition): Value[] {
  if ('from' in condition) return [...condition.from, ...condition.to];
  return 'values' in condition ? condition.values : [];
}
