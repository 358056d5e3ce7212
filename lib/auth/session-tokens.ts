import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { openFormer, seal, UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import type { AuthSession } from '@/lib/db/generated/client';
import { singleFlight } from '@/lib/db/single-flight';
import { RefreshRefused, refreshTokens } from '@/lib/integrations/identity/identity-provider';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';
import { signInUnavailable } from './sign-in-unavailable';

// The purpose under which sessions were sealed before it named their row.
export const FORMER_SESSION_PURPOSE = 'auth-session';
export const sessionPurpose = (id: string) => `auth-session:${id}`;

const REFRESH_BEFORE_MS = MINUTE_MS;

// A token that lasts a shorter time could expire before it is used.
const STILL_GOOD_MS = 10 * SECOND_MS;

// Longer than the timeout of a call to the provider.
const CLAIM_MS = 60 * SECOND_MS;
const PAUSE_MS = 2 * SECOND_MS;

// Shorter than the browser's own timeout.
const WAIT_MS = 10 * SECOND_MS;

const tokensSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  idToken: z.string().optional(),
});

export type SessionTokens = z.infer<typeof tokensSchema>;

interface AccessToken {
  accessToken: string;
  expiresAt: Date;
}

/** Stores a browser's tokens, sealed. Returns the session id for the browser's cookie. */
export async function createSession(
  accountId: string,
  tokens: SessionTokens,
  expiresAt: Date,
): Promise<string> {
  const id = randomUUID();
  await db().authSession.create({
    data: { id, accountId, sealedTokens: sealTokens(id, tokens), accessTokenExpiresAt: expiresAt },
  });
  return id;
}

/**
 * A valid access token of a session, or null when only a new sign-in helps. Throws `unavailable` while the provider
 * does not renew the token, and UnknownKeyError.
 * A refresh token works once, and parallel calls with it would make the provider revoke the whole family. So one call
 * renews for all; meanwhile the others get the present token as long as it is good. A late response is still stored. If
 * a response is lost, or its process dies before storing it, the old token is sent once more when the claim ends: the
 * provider accepts that if it never received the first call or allows an overlap; otherwise the session ends.
 */
export async function currentAccessToken(sessionId: string): Promise<AccessToken | null> {
  const session = await findSession(sessionId);
  if (!session || isGoodFor(REFRESH_BEFORE_MS, session)) return session && accessTokenOf(session);
  const isStillGood = isGoodFor(STILL_GOOD_MS, session);
  try {
    return await singleFlight({
      key: `session:${sessionId}`,
      accountId: session.accountId,
      claimMs: CLAIM_MS,
      pauseMs: PAUSE_MS,
      waitMs: WAIT_MS,
      othersWaitMs: isStillGood ? 0 : WAIT_MS,
      findResult: () => findRenewed(sessionId),
      run: () => renew(sessionId),
    });
  } catch (error) {
    if (isStillGood) return accessTokenOf(session);
    throw signInUnavailable(error);
  }
}

/** Ends a session. Returns the id token that can end the provider's own session. */
export async function endSession(sessionId: string): Promise<string | undefined> {
  const [row] = await db().authSession.findMany({ where: { id: sessionId } });
  await db().authSession.deleteMany({ where: { id: sessionId } });
  return row && idTokenOf(row);
}

const findSession = (id: string) => db().authSession.findUnique({ where: { id } });

/** The token from an earlier renewal; null if that renewal ended the session. */
async function findRenewed(sessionId: string): Promise<AccessToken | null | undefined> {
  const session = await findSession(sessionId);
  if (!session) return null;
  return isGoodFor(REFRESH_BEFORE_MS, session) ? accessTokenOf(session) : undefined;
}

async function renew(sessionId: string): Promise<AccessToken | null> {
  const session = await findSession(sessionId);
  if (!session) return null;
  const renewed = await askForTokens(openTokens(session));
  // If this process was paused for longer than its claim, another one may have renewed the session meanwhile.
  const unchanged = { id: sessionId, accessTokenExpiresAt: session.accessTokenExpiresAt };
  if (!renewed) {
    await db().authSession.deleteMany({ where: unchanged });
  } else {
    const { tokens, expiresAt } = renewed;
    await db().authSession.updateMany({
      where: unchanged,
      data: { sealedTokens: sealTokens(sessionId, tokens), accessTokenExpiresAt: expiresAt },
    });
  }
  const current = await findSession(sessionId);
  return current && accessTokenOf(current);
}

async function askForTokens(
  tokens: SessionTokens,
): Promise<{ tokens: SessionTokens; expiresAt: Date } | null> {
  if (!tokens.refreshToken) return null;
  try {
    const fresh = await refreshTokens(tokens.refreshToken);
    return {
      tokens: {
        accessToken: fresh.access_token,
        refreshToken: fresh.refresh_token ?? tokens.refreshToken,
        idToken: fresh.id_token ?? tokens.idToken,
      },
      expiresAt: expiryOf(fresh.access_token, fresh.expires_in),
    };
  } catch (error) {
    if (error instanceof RefreshRefused) return null;
    throw error;
  }
}

// RFC 6749 only recommends `expires_in`; Auth0's browser-flow default is two hours.
const DEFAULT_LIFETIME_SECONDS = 7200;

/**
 * When an access token issued now expires: when it says itself, because the API goes by that, whatever else the provider
 * says and its clock shows.
 */
export function expiryOf(accessToken: string, expiresInSeconds = DEFAULT_LIFETIME_SECONDS): Date {
  return new Date(ownExpiry(accessToken) ?? Date.now() + expiresInSeconds * SECOND_MS);
}

// Without an audience, a provider may issue a token that says nothing.
function ownExpiry(accessToken: string): number | null {
  try {
    const { exp } = decodeJwt(accessToken);
    return exp === undefined ? null : exp * SECOND_MS;
  } catch {
    return null;
  }
}

const isGoodFor = (ms: number, { accessTokenExpiresAt }: AuthSession) =>
  accessTokenExpiresAt.getTime() - Date.now() > ms;

interface SealedSession {
  id: string;
  sealedTokens: Uint8Array;
}

const sealTokens = (id: string, tokens: SessionTokens) => seal(JSON.stringify(tokens), sessionPurpose(id));
const openTokens = ({ id, sealedTokens }: SealedSession) =>
  tokensSchema.parse(JSON.parse(openFormer(sealedTokens, sessionPurpose(id), FORMER_SESSION_PURPOSE)));

function accessTokenOf(row: SealedSession & { accessTokenExpiresAt: Date }): AccessToken {
  return { accessToken: openTokens(row).accessToken, expiresAt: row.accessTokenExpiresAt };
}

// Signing out must not wait for a key: the provider can end its session without the id token.
function idTokenOf(row: SealedSession): string | undefined {
  try {
    return openTokens(row).idToken;
  } catch (error) {
    if (error instanceof UnknownKeyError) return undefined;
    throw error;
  }
}
