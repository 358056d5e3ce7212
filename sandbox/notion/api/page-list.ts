import { z } from 'zod';
import { invalid } from '../notion-error';
import { check } from './request-body';

const MAX_PAGE_SIZE = 100;

/** The paging members of a request body. */
export const pagingShape = {
  start_cursor: z.string().nullish(),
  page_size: z.int().min(1).max(MAX_PAGE_SIZE).optional(),
};
interface Paging {
  start_cursor?: string | null | undefined;
  page_size?: number | undefined;
}

/** The paging parameters of a query string. */
export function pagingOf(query: Record<string, string>): Paging {
  const schema = z.object({
    start_cursor: z.string().optional(),
    page_size: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).optional(),
  });
  return check(schema, query, 'query');
}

/** One page of a list in Notion's envelope, without the results' own type. */
export function pageOf<T>(items: T[], paging: Paging) {
  const start = paging.start_cursor ? offsetOf(paging.start_cursor) : 0;
  const end = start + (paging.page_size ?? MAX_PAGE_SIZE);
  const has_more = end < items.length;
  return {
    object: 'list' as const,
    results: items.slice(start, end),
    next_cursor: has_more ? Buffer.from(`from ${end}`).toString('base64url') : null,
    has_more,
  };
}

/** The entries of a list as Notion returns them: the first one again if `repeats`. */
export const listed = <T>(items: T[], repeats = false): T[] =>
  repeats ? [...items, ...items.slice(0, 1)] : items;

function offsetOf(cursor: string): number {
  const offset = /^from (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (!offset) throw invalid(`body failed validation: body.start_cursor: the cursor "${cursor}" is invalid.`);
  return Number(offset);
}
