import type { z } from 'zod';

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * Says in a sentence what is wrong with which field of an input, where its schema has no words of its own for that. An
 * unknown field keeps zod's words.
 */
export const inputSentence: z.core.$ZodErrorMap = (issue) => {
  const field = issue.path?.join('.') || 'The request body';
  switch (issue.code) {
    case 'unrecognized_keys':
      return undefined;
    case 'invalid_type':
      return issue.input === undefined
        ? `${field} is missing`
        : `${field} must be ${KINDS[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return issue.input === undefined
        ? `${field} is missing`
        : `${field} must be ${either(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'too_small':
      return `${field} must ${measured(issue.origin, `at least ${issue.minimum}`)}`;
    case 'too_big':
      return `${field} must ${measured(issue.origin, `at most ${issue.maximum}`)}`;
    default:
      return `${field} has a value that does not fit`;
  }
};

const either = (choices: string[]) =>
  [choices.slice(0, -1).join(', '), ...choices.slice(-1)].filter(Boolean).join(' or ');

function measured(origin: string, bound: string): string {
  const isOne = bound.endsWith(' 1');
  if (origin === 'string') return `have ${bound} ${isOne ? 'character' : 'characters'}`;
  if (origin === 'array') return `have ${bound} ${isOne ? 'entry' : 'entries'}`;
  return `be ${bound}`;
}
