import { z } from 'zod';
import { ALL_PERMISSIONS } from '../permissions';
import type { World } from '../world';
import { redirectUris } from './redirect-uris';

const SCOPES = ['bot', 'applications.commands', 'identify', 'email', 'guilds'];

/** A checked request for the authorization page. */
export interface AuthorizeRequest {
  scopes: string[];
  permissions: bigint;
  /** Absent when the bot is added without a code grant. */
  redirectUri: string | null;
  state: string | null;
  guildId: string | null;
  isGuildFixed: boolean;
}

const querySchema = z.object({
  client_id: z.string(),
  scope: z.string().default(''),
  permissions: z.string().regex(/^\d+$/).default('0'),
  response_type: z.string().optional(),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  guild_id: z.string().optional(),
  disable_guild_select: z.enum(['true', 'false']).default('false'),
});

/** Reads the page's query; returns a string if Discord would show an error instead. */
export function readAuthorizeRequest(world: World, query: Record<string, string>): AuthorizeRequest | string {
  const parsed = querySchema.safeParse(query);
  if (!parsed.success) return `Invalid form body: ${parsed.error.issues[0]?.path.join('.') ?? 'query'}`;
  const { data } = parsed;
  if (data.client_id !== world.applicationId) return 'Unknown Application';
  const scopes = data.scope.split(/[\s+]+/).filter(Boolean);
  if (scopes.length === 0 || scopes.some((scope) => !SCOPES.includes(scope))) return 'Invalid scope';
  const permissions = BigInt(data.permissions);
  if (permissions & ~ALL_PERMISSIONS) return 'Invalid permissions';
  if (data.redirect_uri || !scopes.includes('bot')) {
    if (data.response_type !== 'code') return 'Unsupported response_type';
    if (!data.redirect_uri || !redirectUris(world).includes(data.redirect_uri))
      return 'Invalid OAuth2 redirect_uri';
  }
  return {
    scopes,
    permissions,
    redirectUri: data.redirect_uri ?? null,
    state: data.state ?? null,
    guildId: data.guild_id ?? null,
    isGuildFixed: data.disable_guild_select === 'true',
  };
}
