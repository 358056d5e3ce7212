import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { NotionWorld } from '../notion-world';
import { changeBody, changeRow, createRow, setTrashed } from '../row-edits';
import { editSchema, renameDatabase, schemaEditSchema, setDatabaseTrashed } from '../schema-edits';
import { countUntold } from '../webhooks/change-window';
import type { NotionOutbox } from '../webhooks/notion-outbox';
import { commentControls } from './comment-controls';
import { authorOf, read, requireDatabase, requireRow } from './control-request';
import { docRoutes } from './doc-routes';
import { flood, floodSchema } from './flood';
import { rowSummary, simpleValues } from './row-summary';
import { applySettings, settingsSchema } from './settings';
import { sharingRoutes } from './sharing-routes';

const simple = z.record(z.string(), z.unknown());
const as = z.string().default('mira');
/** The time of the change, for tests that need an older one. */
const at = z.iso.datetime().optional();
const target = { page: z.string(), database: z.string().optional() };

/** The switches and inspection that tests use, under /_sandbox/notion. Refusals are 400 or 404 with `{ error }`. */
export function controlRoutes(world: NotionWorld, outbox: NotionOutbox): Hono {
  const app = new Hono();
  app.onError((error, c) =>
    c.json({ error: error.message }, error instanceof HTTPException ? error.status : 400),
  );

  app.get('/databases', (c) =>
    c.json(
      world.state.databases.map(({ id, dataSourceId, name, workspaceId, properties }) => {
        return { id, dataSourceId, name, workspaceId, properties };
      }),
    ),
  );
  app.post('/databases/schema', async (c) => {
    const body = await read(c, z.object({ database: z.string(), as, edit: schemaEditSchema }));
    editSchema(world, requireDatabase(world, body.database), authorOf(world, body.as), body.edit);
    return c.json({ ok: true });
  });
  app.patch('/databases', async (c) => {
    const schema = z.strictObject({
      database: z.string(),
      as,
      name: z.string().min(1).optional(),
      inTrash: z.boolean().optional(),
    });
    const body = await read(c, schema);
    const [database, author] = [requireDatabase(world, body.database), authorOf(world, body.as)];
    if (body.name !== undefined) renameDatabase(world, database, author, body.name);
    if (body.inTrash !== undefined) setDatabaseTrashed(world, database, author, body.inTrash);
    return c.json({ ok: true });
  });

  // Adds a person, or a group of people, to the workspace of a database.
  app.post('/members', async (c) => {
    const form = z.strictObject({
      id: z.uuid(),
      name: z.string().min(1),
      database: z.string(),
      role: z.enum(['member', 'group']).default('member'),
    });
    const { id, name, database, role } = await read(c, form);
    const { workspaceId } = requireDatabase(world, database);
    world.workspace(workspaceId).members.push({ id, key: id, name, email: null, role });
    return c.json({ ok: true });
  });

  app.get('/rows', (c) => {
    const database = requireDatabase(world, c.req.query('database') ?? '');
    return c.json(world.rowsOf(database.dataSourceId).map((row) => rowSummary(world, row)));
  });
  app.post('/rows', async (c) => {
    const body = await read(
      c,
      z.strictObject({ database: z.string(), as, at, properties: simple.default({}) }),
    );
    const database = requireDatabase(world, body.database);
    const values = simpleValues(world, database, body.properties);
    const row = createRow(world, database, authorOf(world, body.as), { values });
    if (body.at) Object.assign(row, { createdAt: body.at, editedAt: body.at });
    return c.json(rowSummary(world, row), 201);
  });
  app.patch('/rows', async (c) => {
    const schema = z.strictObject({
      ...target,
      as,
      at,
      properties: simple.default({}),
      body: z.string().optional(),
    });
    const body = await read(c, schema);
    const row = requireRow(world, body.page, body.database);
    const author = authorOf(world, body.as);
    changeRow(world, row, author, simpleValues(world, world.databaseOf(row), body.properties));
    if (body.body !== undefined) changeBody(world, row, author, body.body.split('\n').filter(Boolean));
    if (body.at) row.editedAt = body.at;
    return c.json(rowSummary(world, row));
  });
  for (const [path, inTrash] of [
    ['/rows/trash', true],
    ['/rows/restore', false],
  ] as const)
    app.post(path, async (c) => {
      const body = await read(c, z.strictObject({ ...target, as, at }));
      const row = requireRow(world, body.page, body.database);
      setTrashed(world, row, authorOf(world, body.as), inTrash);
      if (body.at) row.editedAt = body.at;
      return c.json(rowSummary(world, row));
    });
  app.route('/comments', commentControls(world));
  app.post('/flood', async (c) => {
    const body = await read(c, floodSchema);
    const rows = flood(world, requireDatabase(world, body.database), authorOf(world, body.as), body);
    return c.json({ pages: rows.map((row) => row.id) });
  });

  app.get('/events', (c) => c.json(world.state.events));
  app.get('/untold', (c) => c.json({ untold: countUntold(world) }));
  app.post('/events/:id/redeliver', (c) => {
    const event = world.state.events.find((each) => each.id === c.req.param('id'));
    if (!event) throw new HTTPException(404, { message: 'No such event.' });
    outbox.redeliver(event);
    return c.json({ ok: true });
  });

  app.get('/calls', (c) => c.json(world.state.calls));
  app.delete('/calls', (c) => {
    world.state.calls = {};
    return c.json({ ok: true });
  });

  app.get('/settings', (c) => c.json(world.settings));
  app.patch('/settings', async (c) => {
    applySettings(world, await read(c, settingsSchema));
    return c.json(world.settings);
  });

  app.route('/docs', docRoutes(world));
  app.route('/authorizations', sharingRoutes(world));
  return app;
}
