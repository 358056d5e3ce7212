/** @jsxImportSource hono/jsx */
import { randomBytes } from 'node:crypto';
import { PermissionFlagsBits as Bit } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import type { Person } from '../../people';
import { sendEvent } from '../interactions/webhook-events';
import { may, serverPermissions } from '../permissions';
import type { Env } from '../rest/guard';
import { toGuild, toUser } from '../rest/to-api';
import type { StoredGuild } from '../state';
import type { World } from '../world';
import { AuthorizePage, ProblemPage } from './authorize-page';
import { type AuthorizeRequest, readAuthorizeRequest } from './authorize-request';
import { installBot } from './install';
import { findPerson, signedIn, signInAs } from './signed-in';

const CODE_LIFETIME_MS = 10 * 60_000;

export function authorizeRoutes(app: Hono<Env>, world: World): void {
  app.get('/oauth2/authorize', (c) => {
    const request = readAuthorizeRequest(world, c.req.query());
    if (typeof request === 'string') return c.html(<ProblemPage title={request} />, 400);
    const person = signedIn(c);
    if (c.req.query('person')) signInAs(c, person);
    return c.html(
      <AuthorizePage
        applicationName={world.state.application.name}
        request={request}
        person={person}
        guilds={manageable(world, person)}
        query={c.req.query()}
      />,
    );
  });

  app.post('/oauth2/authorize', async (c) => {
    const request = readAuthorizeRequest(world, c.req.query());
    if (typeof request === 'string') return c.html(<ProblemPage title={request} />, 400);
    const form = await c.req.formData();
    const person = findPerson(String(form.get('person'))) ?? signedIn(c);
    if (form.get('decision') !== 'authorize') return c.redirect(cancelled(world, request), 302);
    const guild = manageable(world, person).find((each) => each.id === form.get('guild_id'));
    if (request.scopes.includes('bot') && !guild) return c.html(<ProblemPage title="Missing Access" />, 403);
    const granted = form.getAll('permission').reduce((bits, each) => bits | BigInt(String(each)), 0n);
    const permissions = granted & request.permissions;
    if (guild) installBot(world, guild, permissions, request.scopes);
    announce(world, person, request.scopes, guild);
    const { redirectUri } = request;
    if (!redirectUri) {
      const text = 'You may now close this window.';
      return c.html(<ProblemPage title={`${world.state.application.name} was added`} text={text} />);
    }
    const code = rememberCode(world, person, { ...request, redirectUri }, guild);
    return c.redirect(
      withQuery(redirectUri, {
        code,
        state: request.state,
        guild_id: guild?.id ?? null,
        permissions: guild ? String(permissions) : null,
      }),
      302,
    );
  });
}

function manageable(world: World, person: Person): StoredGuild[] {
  return Object.values(world.state.guilds).filter((guild) =>
    may(serverPermissions(guild, person.discordId), Bit.ManageGuild),
  );
}

function cancelled(world: World, request: AuthorizeRequest): string {
  if (!request.redirectUri) return `${world.context.urls.discord}/`;
  return withQuery(request.redirectUri, {
    error: 'access_denied',
    error_description: 'The resource owner or authorization server denied the request',
    state: request.state,
  });
}

function rememberCode(
  world: World,
  person: Person,
  request: AuthorizeRequest & { redirectUri: string },
  guild: StoredGuild | undefined,
): string {
  const code = randomBytes(15).toString('hex');
  world.state.codes[code] = {
    userId: person.discordId,
    scopes: request.scopes,
    redirectUri: request.redirectUri,
    guildId: guild?.id ?? null,
    expiresAt: new Date(world.now().getTime() + CODE_LIFETIME_MS).toISOString(),
  };
  world.save();
  return code;
}

function announce(world: World, person: Person, scopes: string[], guild: StoredGuild | undefined): void {
  const user = world.user(person.discordId);
  if (!user) return;
  const data = {
    user: toUser(user),
    scopes,
    ...(guild && { integration_type: 0, guild: toGuild(world, guild) }),
  };
  void sendEvent(world, 'APPLICATION_AUTHORIZED', data);
}

function withQuery(address: string, query: Record<string, string | null>): string {
  const url = new URL(address);
  for (const [key, value] of Object.entries(query)) if (value !== null) url.searchParams.set(key, value);
  return url.href;
}
