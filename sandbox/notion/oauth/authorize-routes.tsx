/** @jsxImportSource hono/jsx */
import { Hono } from 'hono';
import { currentPerson } from '../current-person';
import type { NotionWorld } from '../notion-world';
import { documentOf } from '../page/document';
import { topDocsOf } from '../standalone/page-tree';
import { AuthorizePage, RefusedPage } from './authorize-page';
import { readAuthorizeRequest, redirectTarget } from './authorize-request';
import { grantAccess } from './grant-access';

/** The page on which a person authorizes the application, and its form. */
export function authorizeRoutes(world: NotionWorld): Hono {
  const app = new Hono();

  app.get('/authorize', (c) => {
    const request = readAuthorizeRequest(world, c.req.query());
    if (typeof request === 'string')
      return c.html(documentOf('Cannot connect', <RefusedPage reason={request} />), 400);
    return c.html(
      documentOf(
        'Connect Pagewire',
        <AuthorizePage world={world} person={currentPerson(world, c)} query={c.req.query()} />,
      ),
    );
  });

  app.post('/authorize', async (c) => {
    const form = await c.req.parseBody({ all: true });
    const text = (name: string) => (typeof form[name] === 'string' ? form[name] : undefined);
    const fields = ['client_id', 'redirect_uri', 'response_type', 'owner', 'state'];
    const request = readAuthorizeRequest(world, Object.fromEntries(fields.map((name) => [name, text(name)])));
    if (typeof request === 'string')
      return c.html(documentOf('Cannot connect', <RefusedPage reason={request} />), 400);
    if (text('decision') !== 'allow') return c.redirect(redirectTarget(request, { error: 'access_denied' }));
    const person = world.person(text('signed_in') ?? '');
    if (!person)
      return c.html(documentOf('Cannot connect', <RefusedPage reason="Nobody is signed in." />), 400);
    const ticked = [form['databases'] ?? []].flat().map(String);
    const things = [...world.databasesOf(person), ...topDocsOf(world, person)];
    const chosen = things.filter((each) => ticked.includes(each.id));
    return c.redirect(
      redirectTarget(request, { code: grantAccess(world, person, chosen, request.redirectUri) }),
    );
  });

  return app;
}
