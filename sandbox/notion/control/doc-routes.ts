import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import type { Doc, DocParent } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import {
  createContainer,
  createDoc,
  editDoc,
  moveDatabase,
  moveDoc,
  renameDoc,
  trashDoc,
} from '../standalone/page-edits';
import { docNamed, docsOf, findContainer } from '../standalone/page-tree';
import { authorOf, read, requireDatabase, requireRow } from './control-request';

const as = z.string().default('mira');
// A page by id or title, a block by id, or "workspace".
const within = z.string();

/** Pages outside databases. Their place is given as a page's id or title, a block's id, or "workspace". */
export function docRoutes(world: NotionWorld): Hono {
  const app = new Hono();

  app.get('/', (c) => c.json(docsOf(world)));
  app.post('/', async (c) => {
    const schema = z.strictObject({ title: z.string(), icon: z.string().optional(), in: within, as });
    const { title, icon = null, in: place, as: by } = await read(c, schema);
    const workspaceId = world.workspaceOf(authorOf(world, by).id)?.id ?? '';
    const parent = parentAt(world, place);
    return c.json(createDoc(world, authorOf(world, by), { workspaceId, title, icon, parent }), 201);
  });
  app.patch('/', async (c) => {
    const body = await read(c, z.strictObject({ page: z.string(), title: z.string().optional(), as }));
    const [doc, author] = [requireDoc(world, body.page), authorOf(world, body.as)];
    if (body.title === undefined) editDoc(world, doc, author);
    else renameDoc(world, doc, author, body.title);
    return c.json(doc);
  });
  app.post('/blocks', async (c) => {
    const type = z.enum(['toggle', 'column_list', 'column']);
    const body = await read(c, z.strictObject({ type, in: within }));
    const parent = parentAt(world, body.in);
    if (parent.type === 'workspace') throw new HTTPException(400, { message: 'A block stands in a page.' });
    return c.json(createContainer(world, { type: body.type, parent }), 201);
  });
  app.post('/move', async (c) => {
    const schema = z.strictObject({
      page: z.string().optional(),
      database: z.string().optional(),
      to: within,
      as,
    });
    const { page, database, to, as: by } = await read(c, schema);
    const [author, parent] = [authorOf(world, by), parentAt(world, to)];
    if (page !== undefined) moveDoc(world, requireDoc(world, page), author, parent);
    if (database !== undefined) moveDatabase(world, requireDatabase(world, database), author, parent);
    return c.json({ ok: true });
  });
  app.post('/trash', async (c) => {
    const schema = z.strictObject({ page: z.string(), restore: z.boolean().default(false), as });
    const { page, restore, as: by } = await read(c, schema);
    trashDoc(world, requireDoc(world, page), authorOf(world, by), !restore);
    return c.json({ ok: true });
  });

  return app;
}

export function requireDoc(world: NotionWorld, given: string): Doc {
  const doc = docNamed(world, given);
  if (!doc) throw new HTTPException(404, { message: `No page "${given}" outside databases.` });
  return doc;
}

function parentAt(world: NotionWorld, given: string): DocParent {
  if (given === 'workspace') return { type: 'workspace' };
  if (findContainer(world, given)) return { type: 'block', id: given };
  return { type: 'page', id: (docNamed(world, given) ?? requireRow(world, given)).id };
}
