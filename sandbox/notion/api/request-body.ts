import type { Context } from 'hono';
import type { z } from 'zod';
import { invalid, NotionError } from '../notion-error';

const MAX_BODY_BYTES = 500 * 1024;

/** The JSON body of a call, checked strictly. A missing body counts as {}, because the official client sends none. */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const text = await c.req.text();
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    throw invalid('body failed validation: the body is larger than 500 KB.');
  if (text !== '' && !/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    throw new NotionError(
      400,
      'invalid_json',
      'Error parsing JSON body: the content type must be application/json.',
    );
  return check(schema, text === '' ? {} : parseJson(text), 'body');
}

/** Parses with a schema and reports the first problem the way Notion does. */
export function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = [where, ...(issue?.path ?? [])].map(String).join('.');
  throw invalid(
    `${where.split('.')[0]} failed validation: ${path}: ${issue ? sentenceOf(issue) : 'invalid'}.`,
  );
}

/** The most useful message of an issue: for a union, that of the alternative which came closest. */
function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message;
  const closest = issue.errors.toSorted((a, b) => a.length - b.length || depth(b) - depth(a))[0]?.[0];
  return closest ? [closest.path.join('.'), sentenceOf(closest)].filter(Boolean).join(': ') : issue.message;
}

function depth(issues: z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((each) => each.path.length));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotionError(400, 'invalid_json', 'Error parsing JSON body.');
  }
}
