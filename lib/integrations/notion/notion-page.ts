import type { QueryDataSourceParameters, QueryDataSourceResponse } from '@notionhq/client';
import { z } from 'zod';
import { MAX_URL } from '@/lib/discord-text';
import { MINUTE_MS } from '@/lib/time';
import { namedEntries } from './named-entries';
import { iconSchema } from './notion-icon';
import { notionIdSchema } from './notion-id';
import { type Parent, parentSchema } from './notion-parent';
import { NotionError, notionCall, notionClient } from './notion-request';
import { type PropertyValue, toPropertyValue } from './property-value';
import { readBatch, readEntries } from './read-batch';

const givenSchema = z.object({
  id: notionIdSchema,
  url: z.string().max(MAX_URL).catch(''),
  in_trash: z.boolean().catch(false),
  created_time: z.iso.datetime({ offset: true }),
  last_edited_time: z.iso.datetime({ offset: true }),
  created_by: z.object({ id: notionIdSchema }).optional().catch(undefined),
  last_edited_by: z.object({ id: notionIdSchema }).optional().catch(undefined),
  parent: parentSchema,
  icon: iconSchema,
  properties: namedEntries,
});
const pageSchema = givenSchema.transform(reduce);

const propertySchema = z.object({ id: z.string() });

/** The value of a property, with the property's name. */
export type NamedValue = PropertyValue & { name: string };

export interface Page {
  id: string;
  url: string;
  title: string;
  isTrashed: boolean;
  /** Who created it; null when Notion does not say. */
  createdBy: string | null;
  /** Who edited it last; null when Notion does not say. */
  lastEditedBy: string | null;
  /** Notion rounds both times down to the minute. */
  createdAt: Date;
  lastEditedAt: Date;
  databaseId: string | null;
  /** Its parent; a data source when the page is in a database. */
  parent: Parent;
  /** An emoji or the URL of a picture. */
  icon: string | null;
  /** By property id, in Notion's own order. */
  values: Map<string, NamedValue>;
}

/** Reads a page with the current values of its properties. Throws NotionError. */
export async function getPage(accessToken: string, pageId: string): Promise<Page> {
  return toPage(await getRawPage(accessToken, pageId));
}

/** Reads a page in Notion's format. Throws NotionError. */
export const getRawPage = (accessToken: string, pageId: string): Promise<unknown> =>
  notionCall(() => notionClient(accessToken).pages.retrieve({ page_id: pageId }));

/**
 * One batch of a database's pages, latest edits first. `cursor` continues an earlier batch; a null `nextCursor` marks
 * the last. Throws NotionError.
 */
export async function listPages(accessToken: string, databaseId: string, cursor?: string) {
  const reply = await readBatch((batch) =>
    notionClient(accessToken).dataSources.query({
      data_source_id: databaseId,
      sorts: [{ timestamp: 'last_edited_time', direction: 'descending' }],
      start_cursor: cursor,
      ...batch,
    }),
  );
  return { pages: toPages(reply.results), nextCursor: reply.has_more ? reply.next_cursor : null };
}

/** The part of a list of pages that a call asks for; without a `cursor`, the list from its beginning. */
export interface ListPart {
  /** Leaves out the pages before this minute, by the time that orders the list. */
  since?: Date | undefined;
  cursor?: string | undefined;
  /**
   * Lists only the pages edited in the minute `since`, by the time when they were created, without those from before
   * this minute.
   */
  createdSince?: Date | undefined;
}

/** A batch of a list of pages. */
export interface PageBatch {
  pages: Page[];
  /** The part that follows; null after the last batch. */
  next: ListPart | null;
}

/**
 * One batch of the pages of a database, oldest edits first. If one minute has more edits than Notion lists, its pages
 * follow in the order in which they were created. Throws NotionError.
 */
export async function listEditedPages(
  accessToken: string,
  databaseId: string,
  { since, cursor, createdSince, inTrash = false }: ListPart & { inTrash?: boolean },
): Promise<PageBatch> {
  const filter = editedFilter(since, createdSince);
  const timestamp = createdSince ? 'created_time' : 'last_edited_time';
  const reply = await readBatch((batch) =>
    notionClient(accessToken).dataSources.query({
      data_source_id: databaseId,
      ...(filter && { filter }),
      sorts: [{ timestamp, direction: 'ascending' }],
      start_cursor: cursor,
      ...batch,
      ...(inTrash && { in_trash: true }),
    }),
  );
  if (!since || !createdSince) {
    const batch = toBatch(reply, { since, by: 'lastEditedAt' });
    // The list ends within its first minute.
    const isCut =
      since && batch.next && !batch.next.cursor && !batch.pages.some((page) => page.lastEditedAt > since);
    return isCut ? { ...batch, next: { since, createdSince: new Date(0) } } : batch;
  }
  const { pages, next } = toBatch(reply, { since: createdSince, by: 'createdAt' });
  const rest = next && { since, createdSince: next.since, cursor: next.cursor };
  return { pages, next: rest ?? { since: nextMinute(since) } };
}

const nextMinute = (minute: Date) => new Date(minute.getTime() + MINUTE_MS);

function editedFilter(since: Date | undefined, createdSince: Date | undefined): Filter | undefined {
  if (!since) return undefined;
  const edited = (last_edited_time: { on_or_after: string } | { before: string }) =>
    ({ timestamp: 'last_edited_time', last_edited_time }) as const;
  const from = edited({ on_or_after: since.toISOString() });
  if (!createdSince) return from;
  const created_time = { on_or_after: createdSince.toISOString() };
  const until = edited({ before: nextMinute(since).toISOString() });
  return { and: [from, until, { timestamp: 'created_time', created_time }] };
}

function toBatch(
  reply: QueryDataSourceResponse,
  { since, by }: { since: Date | undefined; by: 'createdAt' | 'lastEditedAt' },
): PageBatch {
  const pages = toPages(reply.results);
  if (reply.has_more && reply.next_cursor) return { pages, next: { since, cursor: reply.next_cursor } };
  const last = pages.at(-1)?.[by];
  // Notion returns at most 10,000 pages for one query: https://developers.notion.com/reference/query-a-data-source
  if (!last || reply.request_status?.type !== 'incomplete') return { pages, next: null };
  const isLater = !since || last > since;
  return { pages, next: { since: isLater ? last : nextMinute(since) } };
}

/** A condition of a query about a date property, or about a time of the page itself. */
export type DateFilter =
  | { property: string; type: 'date' | 'created_time' | 'last_edited_time'; from: string; to: string }
  | { editedBefore: Date };

/**
 * One batch of the pages of a database that meet any of these conditions, or of all of its pages, oldest first. Throws
 * NotionError.
 */
export async function queryPages(
  accessToken: string,
  databaseId: string,
  { anyOf, since, cursor }: { anyOf: DateFilter[] | null } & ListPart,
): Promise<PageBatch> {
  const filter = toQueryFilter(anyOf, since);
  const reply = await readBatch((batch) =>
    notionClient(accessToken).dataSources.query({
      data_source_id: databaseId,
      ...(filter && { filter }),
      // In this order, an edit does not move a page while the list is read.
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      start_cursor: cursor,
      ...batch,
    }),
  );
  return toBatch(reply, { since, by: 'createdAt' });
}

type Filter = NonNullable<QueryDataSourceParameters['filter']>;
type Condition = Extract<Extract<Filter, { or: unknown }>['or'][number], { and: unknown }>['and'][number];

// Notion accepts two levels of groups, so the time stands in each of them.
function toQueryFilter(anyOf: DateFilter[] | null, since: Date | undefined): Filter | undefined {
  const created: Condition[] = since
    ? [{ timestamp: 'created_time', created_time: { on_or_after: since.toISOString() } }]
    : [];
  if (!anyOf) return created[0];
  return { or: anyOf.map((each) => ({ and: [...created, ...toConditions(each)] })) };
}

function toConditions(filter: DateFilter): Condition[] {
  if ('editedBefore' in filter) {
    const last_edited_time = { on_or_before: filter.editedBefore.toISOString() };
    return [{ timestamp: 'last_edited_time', last_edited_time }];
  }
  const { property, type, from, to } = filter;
  const bounds = [{ on_or_after: from }, { on_or_before: to }];
  return bounds.map((bound) => ({ property, [type]: bound }) as { property: string; date: typeof bound });
}

/**
 * The pages among the results of a list, without those of which Notion shows only the id. One of an unknown shape is
 * skipped, unless all are. Throws NotionError.
 */
export const toPages = (results: { object: string }[]): Page[] =>
  readEntries(
    results.filter((result) => 'properties' in result && result.object === 'page'),
    pageSchema,
  );

/** Reduces a page in Notion's format to what the product reads. Throws NotionError if it is not a page. */
export function toPage(raw: unknown): Page {
  const { data: page } = pageSchema.safeParse(raw);
  if (!page) throw new NotionError(200, 'unreadable_page', 'Notion returned a page of an unknown shape');
  return page;
}

function reduce(page: z.infer<typeof givenSchema>): Page {
  const values = new Map<string, NamedValue>();
  for (const [name, property] of page.properties) {
    const { id } = propertySchema.safeParse(property).data ?? { id: name };
    values.set(id, { name, ...toPropertyValue(property) });
  }
  return {
    id: page.id,
    url: page.url,
    title: [...values.values()].find((value) => value.type === 'title')?.text ?? '',
    isTrashed: page.in_trash,
    createdBy: page.created_by?.id ?? null,
    lastEditedBy: page.last_edited_by?.id ?? null,
    createdAt: new Date(page.created_time),
    lastEditedAt: new Date(page.last_edited_time),
    databaseId: page.parent.kind === 'data_source' ? page.parent.id : null,
    parent: page.parent,
    icon: page.icon,
    values,
  };
}
