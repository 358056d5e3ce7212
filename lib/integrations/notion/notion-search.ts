import type { QueryDataSourceParameters } from '@notionhq/client';
import { getPage, type Page, toPage, toPages } from './notion-page';
import { NotionError, notionClient } from './notion-request';
import { readBatch, readFirst } from './read-batch';

const MAX_ASSIGNED = 100;
// https://developers.notion.com/reference/request-limits
const MAX_CONDITIONS = 100;

export interface AssignedQuery {
  databaseId: string;
  peopleId: string;
  notionUserId: string;
  /** The status property, and the names of its options that mean done. */
  status: { id: string; complete: string[] };
  /** The date property to order by, soonest first. */
  dueId: string | null;
}

/**
 * Pages whose title contains a text, last edited first, and whether there are more than the limit. Throws NotionError.
 */
export async function searchPages(accessToken: string, text: string, limit: number) {
  const { results, hasMore } = await readFirst(limit, (start_cursor, { page_size }) =>
    notionClient(accessToken).search({
      query: text,
      filter: { property: 'object', value: 'page' },
      start_cursor,
      page_size,
    }),
  );
  const pages = await Promise.all(results.map((result) => readFound(accessToken, result)));
  return { pages: pages.flatMap((page) => (page && !page.isTrashed ? [page] : [])), hasMore };
}

/** A found page. If Notion returned only its id, it is read on its own; null if it cannot be. */
async function readFound(accessToken: string, found: { id: string }): Promise<Page | null> {
  try {
    return 'properties' in found ? toPage(found) : await getPage(accessToken, found.id);
  } catch (error) {
    if (error instanceof NotionError && (error.isGone || error.isForbidden || error.isUnreadable))
      return null;
    throw error;
  }
}

/**
 * One batch of everything that is shared, latest edits first, as far as Notion's index knows it. Throws NotionError.
 */
export async function listSharedPages(accessToken: string, cursor?: string) {
  const reply = await readBatch(({ page_size }) =>
    notionClient(accessToken).search({
      filter: { property: 'object', value: 'page' },
      sort: { timestamp: 'last_edited_time', direction: 'descending' },
      start_cursor: cursor,
      page_size,
    }),
  );
  return { pages: toPages(reply.results), nextCursor: reply.has_more ? reply.next_cursor : null };
}

/**
 * Open pages of one database that are assigned to a person, at most a hundred, and whether there are more. Throws
 * NotionError.
 */
export async function listAssignedPages(accessToken: string, query: AssignedQuery) {
  const { databaseId, peopleId, notionUserId, status, dueId } = query;
  const open = status.complete.map((name) => ({ property: status.id, status: { does_not_equal: name } }));
  const groups = Array.from({ length: Math.ceil(open.length / MAX_CONDITIONS) }, (_, nth) => ({
    and: open.slice(nth * MAX_CONDITIONS, (nth + 1) * MAX_CONDITIONS),
  }));
  const filter = {
    and: [{ property: peopleId, people: { contains: notionUserId } }, ...groups],
  } as QueryDataSourceParameters['filter'];
  const { results, hasMore } = await readFirst(MAX_ASSIGNED, (start_cursor, batch) =>
    notionClient(accessToken).dataSources.query({
      data_source_id: databaseId,
      filter,
      sorts: dueId ? [{ property: dueId, direction: 'ascending' }] : [],
      start_cursor,
      ...batch,
    }),
  );
  return { pages: toPages(results), hasMore };
}
