import { z } from 'zod';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { type Discovery, discover } from '@/lib/integrations/identity/identity-provider';
import { isStorable } from '@/lib/storable';
import { areKeysMissing, verifyToken } from './issuer-keys';
import { signInUnavailable } from './sign-in-unavailable';

const CLOCK_TOLERANCE_SECONDS = 5;

// Auth0's own profile names the client `azp`, RFC 9068 tokens name it `client_id`.
const claimsSchema = z.object({
  sub: z.string().min(1).refine(isStorable),
  azp: z.string().optional(),
  client_id: z.string().optional(),
  iat: z.number().default(0),
});

export interface Caller {
  subject: string;
  /** When the token was issued, in Unix seconds. */
  issuedAt: number;
}

/**
 * The caller that the request's bearer token names. Throws `unauthorized` unless it is an unexpired RS256 token of our
 * issuer for our audience and client, and `unavailable` when the issuer's keys cannot be fetched.
 */
export async function requireCaller(request: Request): Promise<Caller> {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!token) throw new AppError('unauthorized', 'Sign in to continue.');
  const issuer = await discover().catch((error) => {
    throw signInUnavailable(error);
  });
  const claims = await verify(token, issuer);
  if ((claims.azp ?? claims.client_id) !== env().AUTH0_CLIENT_ID) {
    throw new AppError('unauthorized', 'This session is not valid. Sign in again.');
  }
  return { subject: claims.sub, issuedAt: claims.iat };
}

async function verify(token: string, { jwks_uri, issuer }: Discovery) {
  try {
    const payload = await verifyToken(token, jwks_uri, {
      issuer,
      audience: env().AUTH0_AUDIENCE,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'sub'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    });
    return claimsSchema.parse(payload);
  } catch (error) {
    if (areKeysMissing(error)) throw signInUnavailable(error);
    throw new AppError('unauthorized', 'This session is not valid. Sign in again.');
  }
}
