import type { z } from 'zod';
import { AppError } from '@/lib/errors';
import { isStorable } from '@/lib/storable';
import { inputSentence } from './input-sentence';

/** The body or the query of a call in the form of its schema. Throws `invalid_input`, with the name of a field. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const unstorable = findUnstorable(value);
  if (unstorable !== null) {
    const field = unstorable || 'The request';
    throw new AppError('invalid_input', `${field}: this text contains a character that cannot be stored.`);
  }
  const parsed = schema.safeParse(value, { error: inputSentence });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A misspelt field also counts as a missing one, which the caller would not look for.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const { message = 'The request body does not fit', path = [] } = issue ?? {};
  // zod's own words for an unknown field name only that field, and not in what it is.
  const isUnnamed = path.length > 0 && message.startsWith('Unrecognized');
  throw new AppError('invalid_input', isUnnamed ? `${path.join('.')}: ${message}` : message);
}

// Checking each value, and saying of each what is wrong with it, would keep everybody else waiting. No file of rules has
// nearly as many.
const MAX_VALUES = 50_000;

// The path of a text that cannot be stored; null when all can. Not recursive, because a body may be nested very deeply.
function findUnstorable(input: unknown): string | null {
  const left = [{ path: '', value: input }];
  let seen = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { path, value } = next;
    if (typeof value === 'string' && !isStorable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    seen += Array.isArray(value) ? value.length : Object.keys(value).length;
    if (seen > MAX_VALUES) {
      throw new AppError('invalid_input', `The request has more than ${MAX_VALUES} values.`);
    }
    for (const [key, each] of Object.entries(value)) {
      left.push({ path: path ? `${path}.${key}` : key, value: each });
    }
  }
  return null;
}
