import { Hono } from 'hono';
import { z } from 'zod';
import { invalid, notFound } from '../notion-error';
import type { ApiEnv } from './api-env';
import { databaseObject, dataSourceObject } from './data-source-object';
import { pageOf, pagingShape } from './page-list';
import { pageObject } from './page-object';
import { rowTest } from './query-filter';
import { sortedRows, sortsSchema } from './query-sort';
import { readBody } from './request-body';

/** Notion returns no more rows than this for one query. */
const MAX_QUERY_ROWS = 10_000;

const querySchema = z.strictObject({
  filter: z.unknown().optional(),
  sorts: sortsSchema.optional(),
  in_trash: z.boolean().optional(),
  is_archived: z.boolean().optional(),
  result_type: z.enum(['page', 'data_source']).optional(),
  ...pagingShape,
});

export function dataSourceRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get('/databases/:id', (c) => {
    const { caller } = c.var;
    return c.json(databaseObject(caller, caller.requireDatabase(c.req.param('id'))));
  });

  app.get('/data_sources/:id', (c) => {
    const { caller } = c.var;
    return c.json(dataSourceObject(caller, caller.requireDataSource(c.req.param('id'))));
  });

  app.post('/data_sources/:id/query', async (c) => {
    const { caller } = c.var;
    const database = caller.requireDataSource(c.req.param('id'));
    if (database.inTrash) throw notFound('data source', database.dataSourceId);
    const body = await readBody(c, querySchema);
    if (body.in_trash !== undefined && caller.world.settings.refuseTrashQueries)
      throw invalid('body failed validation: body.in_trash should be not present.');
    const matches = rowTest(caller, database, body.filter);
    const rows = caller.world
      .rowsOf(database.dataSourceId)
      .filter((row) => row.inTrash === (body.in_trash ?? false) && matches(row));
    const only = c.req.queries('filter_properties') ?? [];
    const mostRows = caller.world.settings.queryRowLimit ?? MAX_QUERY_ROWS;
    const pages = sortedRows(caller, database, body.result_type === 'data_source' ? [] : rows, body.sorts);
    const list = pageOf(pages.slice(0, mostRows), body);
    const isCutShort = pages.length > mostRows && !list.has_more;
    return c.json({
      ...list,
      results: list.results.map((row) => pageObject(caller, row, only)),
      type: 'page_or_data_source',
      page_or_data_source: {},
      ...(isCutShort && {
        request_status: { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' },
      }),
    });
  });

  return app;
}
