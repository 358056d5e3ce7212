import type { Hono } from 'hono';
import { z } from 'zod';
import { discordError } from '../discord-error';
import { parseForm } from '../form';
import { sendEvent } from '../interactions/webhook-events';
import { findPerson } from '../oauth/signed-in';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import { toUser } from '../rest/to-api';
import type { World } from '../world';
import { BASE } from './control-base';

const conversationsForm = z.object({ areTooMany: z.boolean() });
const inboxForm = z.object({ isClosed: z.boolean() });
const strangerForm = z.object({ id: z.string().regex(/^\d{15,21}$/), username: z.string().min(1).max(32) });
const eventForm = z.object({ person: z.enum(['mira', 'jonas', 'vera']) });

/** People and their direct messages. */
export function personControls(app: Hono<Env>, world: World): void {
  app.put(`${BASE}/conversations`, async (c) => {
    world.state.hasTooManyConversations = parseForm(conversationsForm, await jsonBody(c)).areTooMany;
    world.persist();
    return c.body(null, 204);
  });

  app.put(`${BASE}/inboxes/:user`, async (c) => {
    const { isClosed } = parseForm(inboxForm, await jsonBody(c));
    const user = c.req.param('user');
    const others = (world.state.closedInboxes ?? []).filter((id) => id !== user);
    world.state.closedInboxes = isClosed ? [...others, user] : others;
    world.persist();
    return c.body(null, 204);
  });

  // A person outside the cast.
  app.post(`${BASE}/users`, async (c) => {
    const { id, username } = parseForm(strangerForm, await jsonBody(c));
    const someone = Object.values(world.state.users).find(({ bot }) => !bot);
    if (!someone) throw discordError('unknownUser');
    world.state.users[id] = { ...someone, id, username, globalName: username };
    world.save();
    return c.body(null, 204);
  });

  app.post(`${BASE}/deauthorize`, async (c) => {
    const person = findPerson(parseForm(eventForm, await jsonBody(c)).person);
    const user = world.user(person?.discordId ?? '');
    if (!user) throw discordError('unknownUser');
    world.state.authorizations = world.state.authorizations.filter(({ userId }) => userId !== user.id);
    world.persist();
    return c.json({
      status: (await sendEvent(world, 'APPLICATION_DEAUTHORIZED', { user: toUser(user) })) ?? null,
    });
  });
}
