import type { z } from 'zod';
import { DiscordError, nest } from './discord-error';

type Issue = z.core.$ZodIssue;

/** Parses a body, or throws "Invalid Form Body" with Discord's error codes for the wrong fields. */
export function parseForm<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({ path: issue.path, ...explain(issue) }));
  throw new DiscordError(400, 50035, 'Invalid Form Body', nest(issues));
}

function explain(issue: Issue): { code: string; message: string } {
  if (issue.input === undefined && issue.code !== 'custom') {
    return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  }
  if (issue.code === 'too_big') return tooBig(issue.origin, issue.maximum);
  if (issue.code === 'too_small') return tooSmall(issue.origin, issue.minimum);
  if (issue.code === 'invalid_type') return wrongType(issue.expected, issue.input);
  if (issue.code === 'custom' && typeof issue.params?.['code'] === 'string') {
    return { code: issue.params['code'], message: issue.message };
  }
  if (issue.code === 'invalid_format') {
    return { code: 'NUMBER_TYPE_COERCE', message: `Value "${String(issue.input)}" is not snowflake.` };
  }
  if (issue.code === 'invalid_value' || issue.code === 'invalid_union') {
    return { code: 'BASE_TYPE_CHOICES', message: `This field must be one of the documented values.` };
  }
  return { code: 'BASE_TYPE_INVALID', message: issue.message };
}

function tooBig(origin: string, maximum: number | bigint) {
  if (origin === 'string' || origin === 'array') {
    return { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${maximum} or fewer in length.` };
  }
  return { code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${maximum}.` };
}

function tooSmall(origin: string, minimum: number | bigint) {
  if ((origin === 'string' || origin === 'array') && Number(minimum) === 1) {
    return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  }
  if (origin === 'string' || origin === 'array') {
    return { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${minimum} or more in length.` };
  }
  return { code: 'NUMBER_TYPE_MIN', message: `int value should be greater than or equal to ${minimum}.` };
}

function wrongType(expected: string, input: unknown) {
  if (expected === 'array')
    return { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' };
  if (expected === 'object') {
    return { code: 'MODEL_TYPE_CONVERT', message: 'Only dictionaries may be used in a ModelType' };
  }
  if (expected === 'string') {
    return { code: 'STRING_TYPE_CONVERT', message: `Could not interpret "${String(input)}" as string.` };
  }
  if (expected === 'number' || expected === 'int') {
    return { code: 'NUMBER_TYPE_COERCE', message: `Value "${String(input)}" is not int.` };
  }
  return { code: 'BASE_TYPE_INVALID', message: `This field must be of type ${expected}.` };
}
