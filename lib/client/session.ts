import type { Session } from 'next-auth';
import { getSession, signIn } from 'next-auth/react';

const RENEW_BEFORE_MS = 60_000;

let current: { token: string; expiresAt: number } | null = null;
let renewing: Promise<Session | null> | null = null;

async function renew(): Promise<Session | null> {
  const session = await getSession();
  if (!session?.accessToken || session.error) {
    current = null;
    return null;
  }
  const expiresAt = session.accessTokenExpiresAt ? Date.parse(session.accessTokenExpiresAt) : 0;
  current = { token: session.accessToken, expiresAt };
  return session;
}

/** The signed-in session, or null when there is none or its tokens can no longer be renewed. */
export function readSession(): Promise<Session | null> {
  renewing ??= renew().finally(() => {
    renewing = null;
  });
  return renewing;
}

/** A bearer token good for at least a minute, held in memory only; null when signed out. */
export async function accessToken(): Promise<string | null> {
  if (current && current.expiresAt - RENEW_BEFORE_MS > Date.now()) return current.token;
  await readSession();
  return current?.token ?? null;
}

export function forgetAccessToken(): void {
  current = null;
}

/** Starts the login; afterwards the person is taken on to `path`, or home. */
export function startLogin(path: string | null): void {
  const returnTo = path ? `&returnTo=${encodeURIComponent(path)}` : '';
  void signIn('auth0', { callbackUrl: `/callback?mode=app${returnTo}` });
}

/** Ends our session and the identity provider's, and lands on /?mode=app. */
export function logOut(): void {
  forgetAccessToken();
  window.location.assign('/logout');
}
