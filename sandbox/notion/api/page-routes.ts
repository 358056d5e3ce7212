import { Hono } from 'hono';
import { z } from 'zod';
import { invalid, notFound } from '../notion-error';
import type { Row } from '../notion-state';
import { hasId, type Property } from '../property';
import { changeBody, changeRow, createRow, setTrashed } from '../row-edits';
import type { ApiEnv } from './api-env';
import { blockObject, blocksSchema, storedBlocks } from './block';
import { type Caller, toId } from './caller';
import { childPageObject, containerObject, docObject } from './doc-object';
import { pageOf, pagingOf } from './page-list';
import { pageObject } from './page-object';
import { propertyItems } from './property-item';
import { preparedWrite } from './property-write';
import { readBody } from './request-body';

const properties = z.record(z.string(), z.unknown());
const icon = z.strictObject({ type: z.literal('emoji').optional(), emoji: z.string().min(1) }).nullable();

const createSchema = z.strictObject({
  parent: z.strictObject({ type: z.literal('data_source_id').optional(), data_source_id: z.string() }),
  properties: properties.optional(),
  icon: icon.optional(),
  children: blocksSchema.optional(),
});

const updateSchema = z.strictObject({
  properties: properties.optional(),
  icon: icon.optional(),
  in_trash: z.boolean().optional(),
  is_locked: z.boolean().optional(),
  erase_content: z.boolean().optional(),
});

export function pageRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.post('/pages', async (c) => {
    const { caller } = c.var;
    const body = await readBody(c, createSchema);
    const database = caller.requireDataSource(body.parent.data_source_id);
    const write = preparedWrite(caller, database, body.properties ?? {});
    const children = storedBlocks(caller, body.children ?? []);
    const given = { values: write(), body: children, icon: body.icon?.emoji ?? null };
    const row = createRow(caller.world, database, caller.author, given);
    return c.json(pageObject(caller, row, c.req.queries('filter_properties')));
  });

  app.get('/pages/:id', (c) => {
    const { caller } = c.var;
    const doc = caller.findDoc(c.req.param('id'));
    if (doc) return c.json(docObject(caller, doc, c.req.queries('filter_properties')));
    return c.json(
      pageObject(caller, caller.requirePage(c.req.param('id')), c.req.queries('filter_properties')),
    );
  });

  app.patch('/pages/:id', async (c) => {
    const { caller } = c.var;
    const row = caller.requirePage(c.req.param('id'));
    const body = await readBody(c, updateSchema);
    if (row.inTrash && body.in_trash !== false)
      throw invalid(
        "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
      );
    const write = preparedWrite(caller, caller.world.databaseOf(row), body.properties ?? {});
    if (body.in_trash === false) setTrashed(caller.world, row, caller.author, false);
    changeRow(caller.world, row, caller.author, write());
    if (body.erase_content) changeBody(caller.world, row, caller.author, []);
    if (body.icon !== undefined) row.icon = body.icon?.emoji ?? null;
    if (body.is_locked !== undefined) row.isLocked = body.is_locked;
    if (body.in_trash) setTrashed(caller.world, row, caller.author, true);
    caller.world.save();
    return c.json(pageObject(caller, row, c.req.queries('filter_properties')));
  });

  app.get('/pages/:id/properties/:property', (c) => {
    const { caller } = c.var;
    const row = caller.requirePage(c.req.param('id'));
    const property = requireProperty(caller, row, c.req.param('property'));
    return c.json(propertyItems(caller, row, property, pagingOf(c.req.query())));
  });

  app.get('/blocks/:id', (c) => {
    const { caller } = c.var;
    const given = c.req.param('id');
    const doc = caller.findDoc(given);
    if (doc) return c.json(childPageObject(doc));
    const container = caller.findContainer(given);
    if (container) return c.json(containerObject(container));
    throw notFound('block', toId(given, 'block_id'));
  });

  app.get('/blocks/:id/children', (c) => {
    const { caller } = c.var;
    const row = caller.requirePage(c.req.param('id'));
    const list = pageOf(row.body, pagingOf(c.req.query()));
    const results = list.results.map((each) => blockObject(caller, row, each));
    return c.json({ ...list, results, type: 'block', block: {} });
  });

  return app;
}

function requireProperty(caller: Caller, row: Row, given: string): Property {
  const property = caller.properties(caller.world.databaseOf(row)).find((each) => hasId(each, given));
  if (!property) throw invalid(`Could not find property with name or id: ${given}`);
  return property;
}
