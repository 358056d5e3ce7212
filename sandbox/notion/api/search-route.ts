import { Hono } from 'hono';
import { z } from 'zod';
import type { Database, Row } from '../notion-state';
import { titleOf } from '../simple-value';
import type { ApiEnv } from './api-env';
import type { Caller } from './caller';
import { dataSourceObject } from './data-source-object';
import { docObject } from './doc-object';
import { listed, pageOf, pagingShape } from './page-list';
import { pageObject } from './page-object';
import { readBody } from './request-body';

const searchSchema = z.strictObject({
  query: z.string().optional(),
  filter: z
    .union([
      z.strictObject({
        property: z.literal('object'),
        value: z.enum(['page', 'data_source']),
        in_trash: z.boolean().optional(),
      }),
      z.strictObject({ in_trash: z.boolean() }),
    ])
    .optional(),
  sort: z
    .union([
      z.strictObject({
        timestamp: z.literal('last_edited_time'),
        direction: z.enum(['ascending', 'descending']),
      }),
      z.strictObject({ property: z.literal('relevance') }),
    ])
    .optional(),
  ...pagingShape,
});

interface Found {
  title: string;
  editedAt: string;
  object(): unknown;
}

/** `POST /v1/search`: searches the titles of shared pages and databases, once the index contains them. */
export function searchRoute(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.post('/search', async (c) => {
    const { caller } = c.var;
    const { query = '', filter, sort, ...paging } = await readBody(c, searchSchema);
    const value = filter && 'value' in filter ? filter.value : undefined;
    const inTrash = filter?.in_trash ?? false;
    const found: Found[] = [
      ...(value === 'page' ? [] : dataSources(caller, inTrash)),
      ...(value === 'data_source' ? [] : [...pages(caller, inTrash), ...docs(caller, inTrash)]),
    ].filter((each) => each.title.toLowerCase().includes(query.toLowerCase()));
    const sign = sort && 'direction' in sort && sort.direction === 'ascending' ? 1 : -1;
    found.sort((a, b) => sign * a.editedAt.localeCompare(b.editedAt));
    const list = pageOf(listed(found, caller.world.settings.repeatsEntries), paging);
    return c.json({
      ...list,
      results: list.results.map((each) => each.object()),
      type: 'page_or_data_source',
      page_or_data_source: {},
      request_status: { type: 'complete' },
    });
  });
  return app;
}

function dataSources(caller: Caller, inTrash: boolean): Found[] {
  return indexedDatabases(caller)
    .filter((database) => (database.inTrash ?? false) === inTrash)
    .map((database) => ({
      title: database.name,
      editedAt: database.editedAt,
      object: () => {
        const whole = dataSourceObject(caller, database);
        const { object, id, properties } = whole;
        return caller.world.settings.partialSearch ? { object, id, properties } : whole;
      },
    }));
}

function pages(caller: Caller, inTrash: boolean): Found[] {
  return indexedDatabases(caller).flatMap((database) =>
    caller.world
      .rowsOf(database.dataSourceId)
      .filter((row) => row.inTrash === inTrash && isIndexed(caller, row.createdAt))
      .map((row: Row) => ({
        title: titleOf(database, row, caller.members),
        editedAt: row.editedAt,
        object: () => shown(caller, pageObject(caller, row)),
      })),
  );
}

function docs(caller: Caller, inTrash: boolean): Found[] {
  return caller
    .docs()
    .filter((doc) => doc.inTrash === inTrash && isIndexed(caller, doc.createdAt))
    .map((doc) => ({
      title: doc.title,
      editedAt: doc.editedAt,
      object: () => shown(caller, docObject(caller, doc)),
    }));
}

function indexedDatabases(caller: Caller): Database[] {
  return caller.databases().filter((each) => isIndexed(caller, caller.authorization.shared[each.id] ?? ''));
}

function isIndexed(caller: Caller, since: string): boolean {
  const { indexDelayMs } = caller.world.settings;
  return indexDelayMs === 0 || caller.world.context.now().getTime() - Date.parse(since) >= indexDelayMs;
}

/** A found page, or only its id. */
function shown({ world }: Caller, page: { object: 'page'; id: string }): object {
  const { object, id } = page;
  return world.settings.partialSearch ? { object, id } : page;
}
