import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';
import { addComment, withMentions } from '../comment-edits';
import { authorOf, read } from '../control/control-request';
import { simpleValues } from '../control/row-summary';
import { currentPerson } from '../current-person';
import type { Author, Database, Doc, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { changeBody, changeRow, createRow, setTrashed } from '../row-edits';
import { editSchema, schemaEditSchema } from '../schema-edits';
import { createDoc, renameDoc, trashDoc } from '../standalone/page-edits';
import { findDoc } from '../standalone/page-tree';

/** The edits that the page's script sends. The author is the person in the cookie, who needs access to the database. */
export function editRoutes(world: NotionWorld): Hono {
  const app = new Hono();
  app.onError((error, c) =>
    c.json({ error: error.message }, error instanceof HTTPException ? error.status : 400),
  );

  app.get('/revision', (c) => c.json({ revision: world.state.revision }));

  app.post('/databases/:id/rows', async (c) => {
    const { person, database } = access(c.req.param('id'), currentPerson(world, c).key);
    const form = await c.req.parseBody();
    const title = database.properties.find((each) => each.type === 'title');
    const values = title ? simpleValues(world, database, { [title.id]: form['title'] }) : {};
    createRow(world, database, authorOf(world, person), { values });
    return c.redirect(`/p/${database.id.replaceAll('-', '')}#new-row`, 303);
  });

  app.post('/databases/:id/schema', async (c) => {
    const { person, database } = access(c.req.param('id'), currentPerson(world, c).key);
    editSchema(world, database, authorOf(world, person), await read(c, schemaEditSchema));
    return c.json({ ok: true });
  });

  app.post('/rows/:id', async (c) => {
    const { person, database, row } = rowAccess(c.req.param('id'), currentPerson(world, c).key);
    const edit = await read(c, z.strictObject({ property: z.string(), value: z.unknown() }));
    const values = simpleValues(world, database, { [edit.property]: edit.value });
    changeRow(world, row, authorOf(world, person), values);
    return c.json({ ok: true });
  });

  app.post('/rows/:id/body', async (c) => {
    const { person, row } = rowAccess(c.req.param('id'), currentPerson(world, c).key);
    const { value } = await read(c, z.strictObject({ value: z.string() }));
    changeBody(
      world,
      row,
      authorOf(world, person),
      value
        .split('\n')
        .map((line) => line.trimEnd())
        .filter(Boolean),
    );
    return c.json({ ok: true });
  });

  app.post('/rows/:id/comments', async (c) => {
    const { person, database, row } = rowAccess(c.req.param('id'), currentPerson(world, c).key);
    const form = await c.req.parseBody();
    const text = withMentions(world, database, String(form['text'] ?? '').trim());
    if (text.length > 0) addComment(world, row, authorOf(world, person), { text });
    return c.redirect(`/p/${row.id.replaceAll('-', '')}#comments`, 303);
  });

  app.post('/rows/:id/trash', async (c) => {
    const { person, database, row } = rowAccess(c.req.param('id'), currentPerson(world, c).key);
    const form = await c.req.parseBody();
    setTrashed(world, row, authorOf(world, person), form['restore'] === undefined);
    return c.redirect(`/p/${database.id.replaceAll('-', '')}`, 303);
  });

  app.post('/docs/:id/:what{title|pages|trash}', async (c) => {
    const { doc, author } = docAccess(c.req.param('id'), currentPerson(world, c).key);
    const form = await c.req.parseBody();
    const title = String(form['title'] ?? '');
    const what = c.req.param('what');
    if (what === 'title') renameDoc(world, doc, author, title);
    if (what === 'trash') trashDoc(world, doc, author, form['restore'] === undefined);
    if (what === 'pages') {
      createDoc(world, author, { workspaceId: doc.workspaceId, title, parent: { type: 'page', id: doc.id } });
    }
    return c.redirect(`/p/${doc.id.replaceAll('-', '')}`, 303);
  });

  /** Members of a workspace see and edit all its pages outside databases; guests see none. */
  function docAccess(docId: string, person: string): { doc: Doc; author: Author } {
    const doc = findDoc(world, docId);
    const member = world.person(person);
    const isHome = member && member.role !== 'guest' && world.workspaceOf(member.id)?.id === doc?.workspaceId;
    if (!doc || !isHome) throw new HTTPException(404, { message: 'No such page.' });
    return { doc, author: authorOf(world, person) };
  }

  function access(databaseId: string, person: string): { person: string; database: Database } {
    const member = world.person(person);
    const database = member && world.databasesOf(member).find((each) => each.id === databaseId);
    if (!database) throw new HTTPException(404, { message: 'No such database.' });
    return { person, database };
  }

  function rowAccess(rowId: string, person: string): { person: string; database: Database; row: Row } {
    const row = world.row(rowId);
    if (!row) throw new HTTPException(404, { message: 'No such page.' });
    return { ...access(world.databaseOf(row).id, person), row };
  }

  return app;
}
