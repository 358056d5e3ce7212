import { z } from 'zod';
import { env } from '@/lib/env';
import { boundedFetch } from '../bounded-fetch';

const TIMEOUT_MS = 8000;
// A few tokens, keys or addresses.
const ANSWER_MAX_BYTES = 256 * 1024;

/** `fetch` for the provider's own addresses. */
export const fetchIdentity = boundedFetch({ timeoutMs: TIMEOUT_MS, maxBytes: ANSWER_MAX_BYTES });

const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  end_session_endpoint: z.url().optional(),
});

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  expires_in: z.number().optional(),
});

export type Discovery = z.infer<typeof discoverySchema>;

/** The identity provider refused the refresh token: only a new sign-in helps. */
export class RefreshRefused extends Error {}

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
  const response = await fetchIdentity(discoveryUrl());
  if (!response.ok) throw new Error(`Identity provider discovery answered ${response.status}`);
  return discoverySchema.parse(await response.json());
}

/**
 * Trades a refresh token for new tokens. The old one is spent: store what comes back.
 * Throws RefreshRefused when it was expired, revoked or used before; another Error is worth a retry.
 */
export async function refreshTokens(refreshToken: string) {
  const { token_endpoint } = await discover();
  const basic = [env().AUTH0_CLIENT_ID, env().AUTH0_CLIENT_SECRET].map(encodeURIComponent).join(':');
  const response = await fetchIdentity(token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  });
  if (response.status >= 400 && response.status < 500 && response.status !== 429) {
    throw new RefreshRefused(`Identity provider refused the refresh token (${response.status})`);
  }
  if (!response.ok) throw new Error(`Identity provider answered ${response.status}`);
  return tokensSchema.parse(await response.json());
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
