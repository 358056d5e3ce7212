import { randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { discordError } from '../discord-error';
import type { Env } from '../rest/guard';
import { toGuild, toUser } from '../rest/to-api';
import type { StoredAuthorization } from '../state';
import type { World } from '../world';
import { bearerOf } from './bearer';

const TOKEN_LIFETIME_SECONDS = 604_800;

export function tokenRoutes(api: Hono<Env>, world: World): void {
  api.post('/oauth2/token', async (c) => {
    const form = await formOf(c);
    if (!form)
      return refuse(c, 400, 'invalid_request', 'Only application/x-www-form-urlencoded is accepted.');
    if (!isOurClient(world, c, form)) return refuse(c, 401, 'invalid_client');
    const authorization = grant(world, form);
    if (authorization === 'unsupported_grant_type') return refuse(c, 400, authorization);
    if (typeof authorization === 'string') return refuse(c, 400, 'invalid_grant', authorization);
    const guild = world.guild(authorization.guildId);
    return c.json({
      token_type: 'Bearer',
      access_token: authorization.accessToken,
      expires_in: TOKEN_LIFETIME_SECONDS,
      refresh_token: authorization.refreshToken,
      scope: authorization.scopes.join(' '),
      ...(guild && authorization.scopes.includes('bot') && { guild: toGuild(world, guild) }),
    });
  });

  api.post('/oauth2/token/revoke', async (c) => {
    const form = await formOf(c);
    if (!form)
      return refuse(c, 400, 'invalid_request', 'Only application/x-www-form-urlencoded is accepted.');
    if (!isOurClient(world, c, form)) return refuse(c, 401, 'invalid_client');
    const token = form.get('token');
    const revoked = world.state.authorizations.find((each) =>
      [each.accessToken, each.refreshToken].includes(token ?? ''),
    );
    if (revoked) {
      world.state.authorizations = world.state.authorizations.filter(
        (each) => each.userId !== revoked.userId,
      );
      world.save();
    }
    return c.json({});
  });

  api.get('/oauth2/@me', (c) => {
    const bearer = bearerOf(world, c);
    if (!bearer) throw discordError('unauthorized');
    const user = world.user(bearer.userId);
    const { name, description } = world.state.application;
    return c.json({
      application: { id: world.applicationId, name, description, icon: null, bot_public: true, hook: true },
      scopes: bearer.scopes,
      expires: bearer.expiresAt,
      ...(user && bearer.scopes.includes('identify') && { user: toUser(user) }),
    });
  });
}

async function formOf(c: Context): Promise<URLSearchParams | undefined> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim();
  return type === 'application/x-www-form-urlencoded' ? new URLSearchParams(await c.req.text()) : undefined;
}

/** Whether the credentials, by HTTP Basic or in the form, are correct. */
function isOurClient(world: World, c: Context, form: URLSearchParams): boolean {
  const { applicationId, clientSecret } = world.context.credentials.discord;
  const basic = /^Basic (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
  const [id, secret] = basic
    ? Buffer.from(basic, 'base64').toString().split(':')
    : [form.get('client_id'), form.get('client_secret')];
  return id === applicationId && secret === clientSecret;
}

function grant(world: World, form: URLSearchParams): StoredAuthorization | string {
  if (form.get('grant_type') === 'authorization_code') return redeemCode(world, form);
  if (form.get('grant_type') !== 'refresh_token') return 'unsupported_grant_type';
  const known = world.state.authorizations.find((each) => each.refreshToken === form.get('refresh_token'));
  if (!known) return 'Invalid "refresh_token" in request.';
  Object.assign(known, newTokens(world));
  world.save();
  return known;
}

function redeemCode(world: World, form: URLSearchParams): StoredAuthorization | string {
  const code = form.get('code') ?? '';
  const stored = world.state.codes[code];
  if (!stored) return 'Invalid "code" in request.';
  if (form.get('redirect_uri') !== stored.redirectUri) return 'Invalid "redirect_uri" in request.';
  delete world.state.codes[code];
  if (new Date(stored.expiresAt) <= world.now()) return 'Invalid "code" in request.';
  const { userId, scopes, guildId } = stored;
  const authorization = { userId, scopes, guildId, ...newTokens(world) };
  world.state.authorizations.push(authorization);
  world.save();
  return authorization;
}

function newTokens(world: World): Pick<StoredAuthorization, 'accessToken' | 'refreshToken' | 'expiresAt'> {
  return {
    accessToken: randomBytes(15).toString('hex'),
    refreshToken: randomBytes(15).toString('hex'),
    expiresAt: new Date(world.now().getTime() + TOKEN_LIFETIME_SECONDS * 1000).toISOString(),
  };
}

function refuse(c: Context, status: 400 | 401, error: string, description?: string): Response {
  return c.json({ error, ...(description && { error_description: description }) }, status);
}
