import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from './parse-input';

const schema = z.strictObject({
  title: z.string().min(1).max(3).optional(),
  count: z.int().min(1).max(5).optional(),
  share: z.number().optional(),
  isOn: z.boolean().optional(),
  kind: z.enum(['task', 'page']).optional(),
  version: z.literal(1).optional(),
  ids: z.array(z.string()).min(1).max(2).optional(),
  names: z.record(z.string().max(2), z.string()).optional(),
  id: z.uuid().optional(),
  either: z.union([z.string(), z.number()]).optional(),
  own: z.string('own must be a name').optional(),
  within: z.strictObject({ must: z.string() }).optional(),
});

test.each<[unknown, string]>([
  [[], 'The request body must be an object'],
  [null, 'The request body must be an object'],
  ['text', 'The request body must be an object'],
  [{ title: 1 }, 'title must be a text'],
  [{ title: '' }, 'title must have at least 1 character'],
  [{ title: 'four' }, 'title must have at most 3 characters'],
  [{ count: 1.5 }, 'count must be a whole number'],
  [{ count: 9 }, 'count must be at most 5'],
  [{ count: 0 }, 'count must be at least 1'],
  [{ share: '1' }, 'share must be a number'],
  [{ isOn: 'yes' }, 'isOn must be true or false'],
  [{ kind: 'wiki' }, 'kind must be "task" or "page"'],
  [{ version: 2 }, 'version must be 1'],
  [{ ids: 'a' }, 'ids must be a list'],
  [{ ids: [] }, 'ids must have at least 1 entry'],
  [{ ids: ['a', 'b', 'c'] }, 'ids must have at most 2 entries'],
  [{ ids: ['a', 7] }, 'ids.1 must be a text'],
  [{ names: 'x' }, 'names must be an object'],
  [{ names: { long: 'x' } }, 'names.long has a value that does not fit'],
  [{ id: 'x' }, 'id has a value that does not fit'],
  [{ either: [] }, 'either has a value that does not fit'],
  [{ own: 1 }, 'own must be a name'],
  [{ within: {} }, 'within.must is missing'],
  [{ within: { must: 'x', colour: 1 } }, 'within: Unrecognized key: "colour"'],
  [{ colour: 1 }, 'Unrecognized key: "colour"'],
])('%j is refused in a sentence', (body, error) => {
  expect(() => parseInput(schema, body)).toThrow(expect.objectContaining({ message: error }));
});

test('a body of very many values is refused as a whole, however they are nested', () => {
  const nested = JSON.parse('['.repeat(60_000) + ']'.repeat(60_000));
  for (const body of [Array(60_000).fill(1), nested]) {
    expect(() => parseInput(z.unknown(), body)).toThrow('The request has more than 50000 values.');
  }
  expect(parseInput(z.unknown(), Array(40_000).fill(1))).toHaveLength(40_000);
});
