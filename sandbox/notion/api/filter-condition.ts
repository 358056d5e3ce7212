import { z } from 'zod';
import type { Comparable } from './comparable';

export type ConditionKind = 'text' | 'number' | 'checkbox' | 'option' | 'list' | 'existence' | 'date';

const DAY_MS = 86_400_000;
const PERIOD_DAYS = { week: 7, month: 30, year: 365 } as const;
const text = z.string();
const oneOrMore = z.union([z.string(), z.array(z.string()).max(100)]);
const isoDate = z
  .string()
  .refine((given) => !Number.isNaN(Date.parse(given)), 'should be a valid ISO 8601 date string');

const OPERATORS: Record<ConditionKind, Record<string, z.ZodType>> = {
  text: {
    equals: text,
    does_not_equal: text,
    contains: text,
    does_not_contain: text,
    starts_with: text,
    ends_with: text,
  },
  number: {
    equals: z.number(),
    does_not_equal: z.number(),
    greater_than: z.number(),
    less_than: z.number(),
    greater_than_or_equal_to: z.number(),
    less_than_or_equal_to: z.number(),
  },
  checkbox: { equals: z.boolean(), does_not_equal: z.boolean() },
  option: { equals: oneOrMore, does_not_equal: oneOrMore },
  list: { contains: text, does_not_contain: text },
  existence: {},
  date: {
    equals: isoDate,
    before: isoDate,
    after: isoDate,
    on_or_before: isoDate,
    on_or_after: isoDate,
    past_week: z.strictObject({}),
    past_month: z.strictObject({}),
    past_year: z.strictObject({}),
    this_week: z.strictObject({}),
    next_week: z.strictObject({}),
    next_month: z.strictObject({}),
    next_year: z.strictObject({}),
  },
};

/** The schema of the one-member object that states a condition on a property of this kind. */
export function conditionSchema(kind: ConditionKind): z.ZodType<Record<string, unknown>> {
  const operators: Record<string, z.ZodType> = {
    ...OPERATORS[kind],
    ...(kind !== 'checkbox' && { is_empty: z.literal(true), is_not_empty: z.literal(true) }),
  };
  const optional = Object.fromEntries(
    Object.entries(operators).map(([name, schema]) => [name, schema.optional()]),
  );
  return z
    .strictObject(optional)
    .refine(
      (given) => Object.keys(given).length === 1,
      `should have exactly one of ${Object.keys(operators).join(', ')}`,
    );
}

/** Whether a row's value meets a checked condition. */
export function holds(
  kind: ConditionKind,
  condition: Record<string, unknown>,
  value: Comparable,
  now: Date,
): boolean {
  const [operator = '', given] = Object.entries(condition)[0] ?? [];
  const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (operator === 'is_empty') return isEmpty;
  if (operator === 'is_not_empty') return !isEmpty;
  if (kind === 'date') return isEmpty ? false : dateHolds(operator, given, String(value), now);
  if (operator.startsWith('does_not')) return !positive(operator.replace('does_not_', ''), given, value);
  return positive(operator, given, value);
}

function positive(operator: string, given: unknown, value: Comparable): boolean {
  if (Array.isArray(value)) return value.includes(String(given));
  if (typeof given === 'number') return value !== null && numberHolds(operator, given, Number(value));
  if (typeof given === 'boolean') return value === given;
  if (Array.isArray(given)) return given.includes(value);
  const [have, want] = [String(value ?? '').toLowerCase(), String(given).toLowerCase()];
  switch (operator) {
    case 'contain':
    case 'contains':
      return have.includes(want);
    case 'starts_with':
      return have.startsWith(want);
    case 'ends_with':
      return have.endsWith(want);
    default:
      return have === want;
  }
}

function numberHolds(operator: string, given: number, value: number): boolean {
  switch (operator) {
    case 'greater_than':
      return value > given;
    case 'less_than':
      return value < given;
    case 'greater_than_or_equal_to':
      return value >= given;
    case 'less_than_or_equal_to':
      return value <= given;
    default:
      return value === given;
  }
}

function dateHolds(operator: string, given: unknown, value: string, now: Date): boolean {
  const at = Date.parse(value);
  const [direction, period] = operator.split('_');
  if (direction === 'past' || direction === 'next' || direction === 'this') {
    const span = PERIOD_DAYS[(period ?? 'week') as keyof typeof PERIOD_DAYS] * DAY_MS;
    const distance = at - now.getTime();
    if (direction === 'this') return Math.abs(distance) <= span / 2;
    return direction === 'past' ? distance <= 0 && distance >= -span : distance >= 0 && distance <= span;
  }
  // A plain date covers its whole day.
  const from = Date.parse(String(given));
  const to = String(given).length === 10 ? from + DAY_MS - 1 : from;
  switch (operator) {
    case 'before':
      return at < from;
    case 'after':
      return at > to;
    case 'on_or_before':
      return at <= to;
    case 'on_or_after':
      return at >= from;
    default:
      return at >= from && at <= to;
  }
}
