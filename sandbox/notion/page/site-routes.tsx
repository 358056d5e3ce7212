/** @jsxImportSource hono/jsx */
import { readFileSync } from 'node:fs';
import { type Context, Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { toId } from '../api/caller';
import { currentPerson, rememberPerson } from '../current-person';
import type { Database, Doc, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { docsOf } from '../standalone/page-tree';
import { DatabaseView } from './database-view';
import { DocView } from './doc-view';
import { documentOf } from './document';
import { editRoutes } from './edit-routes';
import { EmptyView, Layout } from './layout';
import { RowView } from './row-view';

/** The page at /: what a person sees and edits in Notion. */
export function siteRoutes(world: NotionWorld): Hono {
  const app = new Hono();
  app.route('/ui', editRoutes(world));
  app.get('/assets/notion.css', (c) => asset(c, 'notion.css', 'text/css'));
  app.get('/assets/notion-page.js', (c) => asset(c, 'notion-page.js', 'text/javascript'));

  app.post('/person', async (c) => {
    const { person, back } = await c.req.parseBody();
    const chosen = world.person(String(person));
    if (chosen) rememberPerson(c, chosen);
    return c.redirect(typeof back === 'string' && /^\/(?!\/)/.test(back) ? back : '/', 303);
  });

  app.get('/', (c) => {
    const [first] = world.databasesOf(currentPerson(world, c));
    return first ? databasePage(c, first) : emptyPage(c, 'Nothing is shared with you here.', 200);
  });

  app.get('/p/:id', (c) => {
    const doc = docFor(c, c.req.param('id'));
    if (doc) return c.html(page(c, <DocView world={world} doc={doc} />, undefined, doc));
    const found = find(c.req.param('id'));
    const database = found && ('values' in found ? world.databaseOf(found) : found);
    if (!database || !world.databasesOf(currentPerson(world, c)).includes(database))
      return emptyPage(
        c,
        'This page does not exist, or the person you are looking as has no access to it.',
        404,
      );
    return 'values' in found ? rowPage(c, database, found) : databasePage(c, database);
  });

  function docFor(c: Context, given: string): Doc | undefined {
    const person = currentPerson(world, c);
    const doc = docsOf(world).find(({ id }) => id.replaceAll('-', '') === given.replaceAll('-', ''));
    const isHome = person.role !== 'guest' && world.workspaceOf(person.id)?.id === doc?.workspaceId;
    return isHome ? doc : undefined;
  }

  function find(given: string): Row | Database | undefined {
    try {
      const id = toId(given, 'id');
      return world.row(id) ?? world.database(id);
    } catch {
      return undefined;
    }
  }

  function databasePage(c: Context, database: Database) {
    return c.html(page(c, <DatabaseView world={world} database={database} />, database));
  }

  function rowPage(c: Context, database: Database, row: Row) {
    return c.html(page(c, <RowView world={world} database={database} row={row} />, database));
  }

  function emptyPage(c: Context, text: string, status: 200 | 404) {
    return c.html(page(c, <EmptyView text={text} />), status);
  }

  function page(c: Context, view: Child, current?: Database, doc?: Doc) {
    const layout = (
      <Layout
        world={world}
        person={currentPerson(world, c)}
        path={current || doc ? c.req.path : '/'}
        current={current ?? doc}
      >
        {view}
      </Layout>
    );
    return documentOf(current?.name ?? doc?.title ?? 'Notion', layout);
  }

  return app;
}

function asset(c: Context, file: string, type: string) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return c.body(text, 200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' });
}
