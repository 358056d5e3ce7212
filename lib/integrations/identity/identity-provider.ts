import { z } from 'zod';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { MINUTE_MS, SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import { callHttp } from '../http-call';

const TIMEOUT_MS = 8 * SECOND_MS;

// A refresh token is spent even if we give up on the call, so wait long.
const REFRESH_TIMEOUT_MS = 40 * SECOND_MS;

// Responses hold a few tokens, keys or URLs.
const MAX_RESPONSE_BYTES = 256 * 1024;

// A refusal's code is cut to this length before it is logged.
const MAX_CODE = 40;

export const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
  /** Whether it names itself in the query when it sends the browser back. */
  authorization_response_iss_parameter_supported: z.boolean().default(false),
  /** How a client may prove itself for tokens: https://openid.net/specs/openid-connect-discovery-1_0.html */
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
});

const refusalSchema = z.object({ error: z.string() });

const tokensSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  expires_in: z.number().optional(),
});

const signInTokensSchema = tokensSchema.extend({ id_token: z.string() });

export type Discovery = z.infer<typeof discoverySchema>;

/** The identity provider refused the refresh token: only a new sign-in helps. */
export class RefreshRefused extends Error {}

/** The identity provider did not return its keys, so no token can be checked. */
export class KeysMissing extends Error {}

/** Where the provider's discovery document is; AUTH0_DOMAIN may be a bare host or a full issuer. */
export function discoveryUrl(given = env().AUTH0_DOMAIN): string {
  const domain = given.replace(/\/+$/, '');
  return `${domain.includes('://') ? domain : `https://${domain}`}/.well-known/openid-configuration`;
}

/** The connection that signs people in with Discord, by environment. */
export const CONNECTIONS = { dev: 'discord-dev', production: 'discord' };

/** The scopes that a sign-in asks for. */
export const SIGN_IN_SCOPE = 'openid profile email offline_access';

/** Where the provider sends the browser back to, under APP_URL. */
export const SIGN_IN_CALLBACK = '/api/auth/callback/auth0';

/** The connection that signs people in with Discord in this environment. */
export function connectionName(): string {
  return CONNECTIONS[env().ENVIRONMENT];
}

const RENEWED_AFTER_MS = 10 * MINUTE_MS;

let discovery: { left: TimeLeft; current: Promise<Discovery> } | undefined;

/**
 * The provider's endpoints. Does not wait for a renewal: the current ones are used until it arrives. A failure is not
 * cached.
 */
export function discover(): Promise<Discovery> {
  if (!discovery) {
    const current = fetchDiscovery().catch((error) => {
      discovery = undefined;
      throw error;
    });
    discovery = { left: timeLeft(RENEWED_AFTER_MS), current };
  } else if (discovery.left() < 0) {
    const known = discovery;
    known.left = timeLeft(RENEWED_AFTER_MS);
    fetchDiscovery().then(
      (renewed) => {
        known.current = Promise.resolve(renewed);
      },
      (error) => log.warn({ err: error }, 'could not renew the addresses of the sign-in service'),
    );
  }
  return discovery.current;
}

async function fetchDiscovery(): Promise<Discovery> {
  const { status, text } = await get(discoveryUrl());
  if (status !== 200) throw new Error(`Identity provider discovery answered ${status}`);
  return discoverySchema.parse(JSON.parse(text));
}

const get = (address: string, accessToken?: string) =>
  callHttp(address, {
    service: 'identity',
    method: 'GET',
    headers: { accept: 'application/json', ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_RESPONSE_BYTES,
  });

/** Fetches the provider's signing keys, in the form that the JWT library expects. Throws KeysMissing. */
export async function fetchKeys(address: string): Promise<Response> {
  const { status, text } = await get(address).catch((error) => {
    throw new KeysMissing('Identity provider did not return its keys', { cause: error });
  });
  return new Response(text, { status });
}

/** What the provider tells of the person behind an access token; null when it tells nothing. Throws without an answer. */
export async function fetchUserinfo(accessToken: string): Promise<unknown> {
  const { userinfo_endpoint: address } = await discover();
  if (!address) return null;
  const { status, text } = await get(address, accessToken);
  return status === 200 ? JSON.parse(text) : null;
}

interface SignInCode {
  code: string;
  codeVerifier: string;
  redirectUri: string;
}

/** Exchanges the code of a sign-in for tokens. Does not check the id token. Throws when there are no tokens. */
export async function exchangeCode({ code, codeVerifier, redirectUri }: SignInCode) {
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
  };
  const { status, text } = await askForTokens(form, TIMEOUT_MS);
  if (status === 200) return signInTokensSchema.parse(JSON.parse(text));
  throw new Error(`Identity provider answered ${status} ${refusalIn(status, text) ?? ''}`);
}

/**
 * Exchanges a refresh token for new tokens. The old one is spent: store what comes back. Throws RefreshRefused when the
 * provider says that it has expired, was revoked or was used before; any other Error says nothing about the token.
 */
export async function refreshTokens(refreshToken: string) {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  const { status, text } = await askForTokens(form, REFRESH_TIMEOUT_MS);
  if (status === 200) return tokensSchema.parse(JSON.parse(text));
  if (refusalIn(status, text) === 'invalid_grant') {
    throw new RefreshRefused('Identity provider refused the refresh token');
  }
  throw new Error(`Identity provider answered ${status}`);
}

/** How our client proves itself for tokens: in a header, unless the provider only looks for that in the form. */
export function clientProof(
  { token_endpoint_auth_methods_supported: methods }: Discovery,
  { AUTH0_CLIENT_ID: client_id, AUTH0_CLIENT_SECRET: client_secret } = env(),
): { headers: Record<string, string>; form: Record<string, string> } {
  if (methods.includes('client_secret_post') && !methods.includes('client_secret_basic')) {
    return { headers: {}, form: { client_id, client_secret } };
  }
  const basic = [client_id, client_secret].map(encodeURIComponent).join(':');
  return { headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }, form: {} };
}

async function askForTokens(form: Record<string, string>, timeoutMs: number) {
  const endpoints = await discover();
  const proof = clientProof(endpoints);
  return callHttp(endpoints.token_endpoint, {
    service: 'identity',
    method: 'POST',
    headers: {
      accept: 'application/json',
      ...proof.headers,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ ...form, ...proof.form }).toString(),
    // If the provider did receive the first call, the code is spent in any case.
    isRepeatable: form['grant_type'] === 'authorization_code',
    timeoutMs,
    maxBytes: MAX_RESPONSE_BYTES,
  });
}

/** The code with which the provider refuses tokens. RFC 6749 requires status 400; Auth0 also uses 403. */
function refusalIn(status: number, text: string): string | undefined {
  if (status < 400 || status >= 500) return undefined;
  try {
    return refusalSchema.safeParse(JSON.parse(text)).data?.error.slice(0, MAX_CODE);
  } catch {
    return undefined;
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
