import type { Session } from 'next-auth';
import { retryAfterMs, sleep } from './retry-after';
import { makeWatchers } from './watchers';

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

/** Who is signed in here: the person whose data this page shows, nobody any longer, or somebody else. */
export type Standing = 'same' | 'ended' | 'other';

let current: { token: string; expiresAt: number } | null = null;
let refused: string | null = null;
let owner: string | null = null;
let standing: Standing = 'same';
const watchers = makeWatchers();
let renewing: Promise<Session | null> | null = null;
let leaving = false;

async function renew(): Promise<Session | null> {
  const session = await askPatiently();
  if (!session?.accessToken || session.error || session.accessToken === refused) return end('ended');
  const { accessToken: token, accessTokenExpiresAt, profile } = session;
  // Another tab may have signed in somebody else, whose data must not appear among what this page shows.
  if (owner !== null && owner !== profile.sub) return end('other');
  owner = profile.sub;
  current = { token, expiresAt: accessTokenExpiresAt ? Date.parse(accessTokenExpiresAt) : 0 };
  stand('same');
  return session;
}

function end(now: Standing): null {
  current = null;
  stand(now);
  return null;
}

function stand(now: Standing): void {
  standing = now;
  watchers.tellAll();
}

// Only our server's answer can say that nobody is signed in; after anything else, such as a captive portal's page, retry
// for a while.
async function askPatiently(): Promise<Session | null> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const response = await fetch(SESSION, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(
      () => null,
    );
    const session = response?.ok ? await response.json().catch(() => null) : null;
    if (session) return signedIn(session);
    const waitMs = retryAfterMs(response);
    if (Date.now() + waitMs > deadline) throw new SessionUnknown();
    await sleep(waitMs);
  }
}

// next-auth answers {} when nobody is signed in.
const signedIn = (session: Session | Record<string, never>): Session | null =>
  'profile' in session ? (session as Session) : null;

async function readJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/**
 * The signed-in session; null when there is none, its tokens can no longer be renewed, or it is no longer the person's
 * whose data this page shows. Throws SessionUnknown after half a minute without a clear answer.
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

/** Forgets this access token, which the server refused, for good. */
export function refuseAccessToken(token: string): void {
  refused = token;
  if (current?.token === token) current = null;
}

/** Who is signed in here, as far as the last answer has shown. */
export const currentStanding = () => standing;

/** Calls `tell` when the standing may have changed; returns what ends that. */
export const watchStanding = watchers.watch;

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
  end('ended');
  window.location.assign('/logout');
}

/** Whether a logout has begun: from then on, refused calls are expected. */
export function isLoggingOut(): boolean {
  return leaving;
}
