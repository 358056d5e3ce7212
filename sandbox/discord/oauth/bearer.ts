import type { Context } from 'hono';
import { discordError } from '../discord-error';
import type { StoredAuthorization } from '../state';
import type { World } from '../world';

/** The authorization behind a bearer token; undefined when the caller sends none, 401 when it is invalid. */
export function bearerOf(world: World, c: Context): StoredAuthorization | undefined {
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1];
  if (!token) return undefined;
  const found = world.state.authorizations.find((each) => each.accessToken === token);
  if (!found || new Date(found.expiresAt) <= world.now()) throw discordError('unauthorized');
  return found;
}
