import { z } from 'zod';
import { env } from '@/lib/env';
import { SECOND_MS } from '@/lib/time';
import { callHttp } from '../http-call';

const TIMEOUT_MS = 8 * SECOND_MS;

// A refresh token is spent by a call that is given up, too.
const REFRESH_TIMEOUT_MS = 40 * SECOND_MS;

// A few tokens, keys or addresses.
const ANSWER_MAX_BYTES = 256 * 1024;

const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  end_session_endpoint: z.url().optional(),
});

const refusalSchema = z.object({ error: z.literal('invalid_grant') });

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  expires_in: z.number().optional(),
});

export type Discovery = z.infer<typeof discoverySchema>;

/** The identity provider refused the refresh token: only a new sign-in helps. */
export class RefreshRefused extends Error {}

/** The identity provider did not answer with its keys: nothing can be said about a token. */
export class KeysMissing extends Error {}

/** Where the provider's discovery document is; AUTH0_DOMAIN may be a bare host or a full issuer. */
export function discoveryUrl(): string {
  const domain = env().AUTH0_DOMAIN.replace(/\/+$/, '');
  return `${domain.includes('://') ? domain : `https://${domain}`}/.well-known/openid-configuration`;
}

/** The connection that signs people in with Discord in this environment. */
export function connectionName(): string {
  return env().ENVIRONMENT === 'dev' ? 'discord-dev' : 'discord';
}

let discovery: Promise<Discovery> | undefined;

/** The provider's endpoints, fetched once; a failed attempt is not kept. */
export function discover(): Promise<Discovery> {
  discovery ??= fetchDiscovery().catch((error) => {
    discovery = undefined;
    throw error;
  });
  return discovery;
}

async function fetchDiscovery(): Promise<Discovery> {
  const { status, text } = await get(discoveryUrl());
  if (status !== 200) throw new Error(`Identity provider discovery answered ${status}`);
  return discoverySchema.parse(JSON.parse(text));
}

const get = (address: string) =>
  callHttp(address, {
    method: 'GET',
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
  });

/** The provider's signing keys, as the library that checks tokens asks for them. Throws KeysMissing. */
export async function fetchKeys(address: string): Promise<Response> {
  const { status, text } = await get(address).catch((error) => {
    throw new KeysMissing('Identity provider did not give its keys', { cause: error });
  });
  return new Response(text, { status });
}

/**
 * Trades a refresh token for new tokens. The old one is spent: store what comes back. Throws RefreshRefused when the
 * provider says that it was expired, revoked or used before; any other Error says nothing about it.
 */
export async function refreshTokens(refreshToken: string) {
  const { token_endpoint } = await discover();
  const basic = [env().AUTH0_CLIENT_ID, env().AUTH0_CLIENT_SECRET].map(encodeURIComponent).join(':');
  const { status, text } = await callHttp(token_endpoint, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(basic).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }).toString(),
    timeoutMs: REFRESH_TIMEOUT_MS,
    maxBytes: ANSWER_MAX_BYTES,
  });
  if (status === 200) return tokensSchema.parse(JSON.parse(text));
  if (isRefusal(status, text)) throw new RefreshRefused('Identity provider refused the refresh token');
  throw new Error(`Identity provider answered ${status}`);
}

// RFC 6749 says 400; Auth0 answers 403, too.
function isRefusal(status: number, text: string): boolean {
  if (status < 400 || status >= 500) return false;
  try {
    return refusalSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** Where to send the browser so that the provider's session ends too; null when it offers no such page. */
export async function endSessionUrl(idToken: string | undefined, returnTo: string): Promise<string | null> {
  const { end_session_endpoint } = await discover();
  if (!end_session_endpoint) return null;
  const url = new URL(end_session_endpoint);
  if (idToken) url.searchParams.set('id_token_hint', idToken);
  url.searchParams.set('client_id', env().AUTH0_CLIENT_ID);
  url.searchParams.set('post_logout_redirect_uri', returnTo);
  return url.href;
}
