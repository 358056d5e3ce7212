import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { openFormer, seal, UnknownKeyError } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { RefreshRefused, refreshTokens } from '@/lib/integrations/identity/identity-provider';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

// Sessions used to be sealed without naming their row.
export const FORMER_SESSION_PURPOSE = 'auth-session';
export const sessionPurpose = (id: string) => `auth-session:${id}`;

const REFRESH_BEFORE_MS = MINUTE_MS;
const LOCK_TIMEOUT_MS = 15 * SECOND_MS;

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

/** Keeps a browser's tokens, sealed. Returns the id that the browser's cookie may hold. */
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
 * A valid access token of a session, or null when only a new sign-in helps. The refresh happens under a row
 * lock: a refresh token works once, and parallel calls would burn the whole family. Throws UnknownKeyError.
 */
export async function currentAccessToken(sessionId: string): Promise<AccessToken | null> {
  const row = await db().authSession.findUnique({ where: { id: sessionId } });
  if (!row) return null;
  if (isFresh(row.accessTokenExpiresAt)) return accessTokenOf(row);
  return db().$transaction(
    async (tx) => {
      await tx.$queryRaw`select 1 from auth_session where id = ${sessionId}::uuid for update`;
      const locked = await tx.authSession.findUnique({ where: { id: sessionId } });
      if (!locked) return null;
      if (isFresh(locked.accessTokenExpiresAt)) return accessTokenOf(locked);
      const renewed = await renew(openTokens(locked));
      if (!renewed) {
        await tx.authSession.delete({ where: { id: sessionId } });
        return null;
      }
      const { tokens, expiresAt } = renewed;
      await tx.authSession.update({
        where: { id: sessionId },
        data: { sealedTokens: sealTokens(sessionId, tokens), accessTokenExpiresAt: expiresAt },
      });
      return { accessToken: tokens.accessToken, expiresAt };
    },
    { timeout: LOCK_TIMEOUT_MS, maxWait: LOCK_TIMEOUT_MS },
  );
}

/** Ends a session. Returns the id token with which the provider's own session can be ended. */
export async function endSession(sessionId: string): Promise<string | undefined> {
  const [row] = await db().authSession.findMany({ where: { id: sessionId } });
  await db().authSession.deleteMany({ where: { id: sessionId } });
  return row && idTokenOf(row);
}

async function renew(tokens: SessionTokens): Promise<{ tokens: SessionTokens; expiresAt: Date } | null> {
  if (!tokens.refreshToken) return null;
  try {
    const fresh = await refreshTokens(tokens.refreshToken);
    return {
      tokens: {
        accessToken: fresh.access_token,
        refreshToken: fresh.refresh_token ?? tokens.refreshToken,
        idToken: fresh.id_token ?? tokens.idToken,
      },
      expiresAt: expiryOf(fresh.expires_in),
    };
  } catch (error) {
    if (error instanceof RefreshRefused) return null;
    throw error;
  }
}

// RFC 6749 only recommends `expires_in`; Auth0's browser-flow default is two hours.
const DEFAULT_LIFETIME_SECONDS = 7200;

/** When an access token that was issued just now ends. */
export function expiryOf(expiresInSeconds = DEFAULT_LIFETIME_SECONDS): Date {
  return new Date(Date.now() + expiresInSeconds * SECOND_MS);
}

const isFresh = (expiresAt: Date) => expiresAt.getTime() - Date.now() > REFRESH_BEFORE_MS;

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

// Signing out must not wait for a key: the provider can end its session without the token, too.
function idTokenOf(row: SealedSession): string | undefined {
  try {
    return openTokens(row).idToken;
  } catch (error) {
    if (error instanceof UnknownKeyError) return undefined;
    throw error;
  }
}
