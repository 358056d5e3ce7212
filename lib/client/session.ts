import type { Session } from 'next-auth';
import { retryAfterMs, sleep } from './retry-after';

// next-auth's own client would be a tenth of a page's script; we need only these three calls.
const SESSION = '/api/auth/session';
const CSRF_TOKEN = '/api/auth/csrf';
const SIGN_IN = '/api/auth/signin/auth0';

const RENEW_BEFORE_MS = 60_000;
const PATIENCE_MS = 30_000;
// The server itself may wait 40 seconds for the identity provider.
const ANSWER_WITHIN_MS = 60_000;

/** It is unknown right now whether somebody is signed in. */
export class SessionUnknown extends Error {}

let current: { token: string; expiresAt: number } | null = null;
let renewing: Promise<Session | null> | null = null;
let leaving = false;

async function renew(): Promise<Session | null> {
  const session = await askPatiently();
  if (!session?.accessToken || session.error) {
    current = null;
    return null;
  }
  const expiresAt = session.accessTokenExpiresAt ? Date.parse(session.accessTokenExpiresAt) : 0;
  current = { token: session.accessToken, expiresAt };
  return session as Session;
}

// Only a response can say that nobody is signed in; after anything else, retry for a while.
async function askPatiently(): Promise<Partial<Session> | null> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(SESSION, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(
      () => null,
    );
    if (response?.ok) return response.json();
    const waitMs = retryAfterMs(response);
    if (Date.now() + waitMs > deadline) throw new SessionUnknown();
    await sleep(waitMs);
  }
}

async function readJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/**
 * The signed-in session, or null when there is none or its tokens can no longer be renewed. Throws SessionUnknown after
 * half a minute without a clear answer.
 */
export function readSession(): Promise<Session | null> {
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}

/**
 * A bearer token, good for at least a minute if possible, held only in memory; null when signed out. Throws
 * SessionUnknown.
 */
export async function accessToken(): Promise<string | null> {
  const known = current;
  if (known && known.expiresAt - RENEW_BEFORE_MS > Date.now()) return known.token;
  try {
    await readSession();
  } catch (error) {
    if (known && known.expiresAt > Date.now()) return known.token;
    throw error;
  }
  return current?.token ?? null;
}

/** Forgets this access token, or whichever is known. */
export function forgetAccessToken(token = current?.token): void {
  if (current?.token === token) current = null;
}

/** Starts the login. Throws when it cannot be started. */
export async function startLogin(): Promise<void> {
  const { csrfToken } = await readJson<{ csrfToken: string }>(CSRF_TOKEN);
  const callbackUrl = '/callback?mode=app';
  const body = new URLSearchParams({ csrfToken, callbackUrl, json: 'true' });
  const { url } = await readJson<{ url: string }>(SIGN_IN, { method: 'POST', body });
  window.location.assign(url);
}

/** Ends our session and the identity provider's, and lands on /?mode=app. */
export function logOut(): void {
  leaving = true;
  forgetAccessToken();
  window.location.assign('/logout');
}

/** Whether a logout has begun: from then on, refused calls are expected. */
export function isLoggingOut(): boolean {
  return leaving;
}
