import { Hono } from 'hono';
import { NotionError, notFound } from '../notion-error';
import { connectionBot, memberObject } from '../user-object';
import type { ApiEnv } from './api-env';
import { type Caller, toId } from './caller';
import { listed, pageOf, pagingOf } from './page-list';

export function userRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.get('/users', (c) => {
    const { caller } = c.var;
    requireCapability(caller);
    // Guests are never listed.
    const members = caller.members.filter((each) => !['guest', 'group'].includes(each.role));
    const list = pageOf(listed(members, caller.world.settings.repeatsEntries), pagingOf(c.req.query()));
    const results = list.results.map((each) => memberObject(each, caller.withEmail));
    return c.json({ ...list, results, type: 'user', user: {} });
  });

  app.get('/users/me', (c) => {
    const { caller } = c.var;
    return c.json(connectionBot(caller.authorization, caller.workspace, caller.withEmail));
  });

  app.get('/users/:id', (c) => {
    const { caller } = c.var;
    requireCapability(caller);
    const id = toId(c.req.param('id'), 'user_id');
    const member = caller.members.find((each) => each.id === id && each.role !== 'group');
    if (!member) throw notFound('user', id);
    return c.json(memberObject(member, caller.withEmail));
  });

  return app;
}

function requireCapability(caller: Caller): void {
  if (caller.world.settings.userInformation === 'none')
    throw new NotionError(403, 'restricted_resource', 'Insufficient permissions for this endpoint.');
}
