import { z } from 'zod';

const MAX_CONDITIONS = 10;
const MAX_VALUES = 100;
const MAX_VALUE = 2000;

/** Operators that compare a property with values. */
const COMPARING = [
  'is',
  'is_not',
  'contains',
  'does_not_contain',
  'greater',
  'less',
  'before',
  'after',
  'within_next_days',
  'within_past_days',
] as const;
/** Operators that need no value. */
const VALUELESS = ['is_empty', 'is_not_empty'] as const;
export const OPERATORS = [...COMPARING, ...VALUELESS, 'changed'] as const;

export const valueSchema = z.union(
  [z.string().max(MAX_VALUE), z.number(), z.boolean()],
  `Values of conditions.items must be texts of at most ${MAX_VALUE} characters, numbers, true or false`,
);
const valuesSchema = (name: string) =>
  z
    .array(valueSchema, `${name} of conditions.items must be a list`)
    .max(MAX_VALUES, `${name} of conditions.items may have at most ${MAX_VALUES} entries`);
const propertyId = z
  .string('propertyId of conditions.items must be the name or the id of a property')
  .min(1, 'propertyId of conditions.items must be the name or the id of a property')
  .max(200, 'propertyId of conditions.items must have at most 200 characters');

/** What a property must be, or how it must have changed: from one of these values to one of those. */
export const conditionSchema = z.discriminatedUnion(
  'operator',
  [
    z.strictObject({
      propertyId,
      operator: z.enum(COMPARING),
      values: valuesSchema('values').min(1, 'values of conditions.items must have an entry'),
    }),
    z
      .strictObject({
        propertyId,
        operator: z.enum(VALUELESS),
        values: valuesSchema('values').max(0, 'values of conditions.items must be empty here').optional(),
      })
      .transform(({ propertyId: id, operator }) => ({ propertyId: id, operator })),
    z.strictObject({
      propertyId,
      operator: z.literal('changed'),
      from: valuesSchema('from').default([]),
      to: valuesSchema('to').default([]),
    }),
  ],
  `operator of conditions.items must be one of ${OPERATORS.join(', ')}`,
);

/** What a page must be like, with the limits of its parts. */
export const conditionsSchema = z.strictObject({
  match: z.enum(['all', 'any'], 'conditions.match must be "all" or "any"').default('all'),
  items: z
    .array(conditionSchema, 'conditions.items must be a list')
    .max(MAX_CONDITIONS, `conditions.items may have at most ${MAX_CONDITIONS} conditions`)
    .default([]),
});
