import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { discover, fetchKeys, KeysMissing } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { MINUTE_MS } from '@/lib/time';
import { signInUnavailable } from './sign-in-unavailable';

const CLOCK_TOLERANCE_SECONDS = 5;
const KEYS_RENEWED_AFTER_MS = 10 * MINUTE_MS;

// Auth0's own profile names the client `azp`, RFC 9068 tokens name it `client_id`.
const claimsSchema = z.object({
  sub: z.string().min(1),
  azp: z.string().optional(),
  client_id: z.string().optional(),
  iat: z.number().default(0),
});

export interface Caller {
  subject: string;
  /** When the token was issued, in Unix seconds. */
  issuedAt: number;
}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

let keys: { uri: string; get: RemoteKeys; askedAt: number } | undefined;

/**
 * The caller that the request's bearer token names. Throws `unauthorized` unless it is an unexpired RS256 token of our
 * issuer for our audience and client, and `unavailable` when the issuer's keys cannot be fetched.
 */
export async function requireCaller(request: Request): Promise<Caller> {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!token) throw new AppError('unauthorized', 'Sign in to continue.');
  const issuer = await discover().catch(() => {
    throw signInUnavailable();
  });
  const claims = await verify(token, keysAt(issuer.jwks_uri), issuer.issuer);
  if ((claims.azp ?? claims.client_id) !== env().AUTH0_CLIENT_ID) {
    throw new AppError('unauthorized', 'This session is not valid. Sign in again.');
  }
  return { subject: claims.sub, issuedAt: claims.iat };
}

// Don't wait for a renewal of the keys: the present ones are good until new ones arrive.
function keysAt(uri: string): RemoteKeys {
  if (keys?.uri !== uri) {
    const get = createRemoteJWKSet(new URL(uri), { [customFetch]: fetchKeys, cacheMaxAge: Infinity });
    keys = { uri, get, askedAt: Date.now() };
  } else if (Date.now() - keys.askedAt > KEYS_RENEWED_AFTER_MS) {
    keys.askedAt = Date.now();
    keys.get
      .reload()
      .catch((error) => log.warn({ err: error }, 'could not renew the keys of the sign-in service'));
  }
  return keys.get;
}

async function verify(token: string, key: JWTVerifyGetKey, issuer: string) {
  try {
    const { payload } = await jwtVerify(token, key, {
      issuer,
      audience: env().AUTH0_AUDIENCE,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return claimsSchema.parse(payload);
  } catch (error) {
    if (areKeysMissing(error)) throw signInUnavailable();
    throw new AppError('unauthorized', 'This session is not valid. Sign in again.');
  }
}

// Without the keys, the token can be neither accepted nor refused. jose reports an error response of the key endpoint
// only as its generic error.
function areKeysMissing(error: unknown): boolean {
  const isRefused = error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
  return isRefused || error instanceof KeysMissing;
}
