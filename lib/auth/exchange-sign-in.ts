import type { TokenEndpointHandler } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { env } from '@/lib/env';
import { discover, exchangeCode } from '@/lib/integrations/identity/identity-provider';
import { verifyToken } from './issuer-keys';

const CLOCK_TOLERANCE_SECONDS = 10;

type Exchange = NonNullable<Exclude<TokenEndpointHandler, string>['request']>;

// next-auth passes the nonce on, but its types omit it.
const checksSchema = z.object({ state: z.string(), code_verifier: z.string(), nonce: z.string() });

const idTokenSchema = z.object({ nonce: z.string(), azp: z.string().optional() });

/** What came back from the identity provider does not belong to this sign-in. */
class SignInRefused extends Error {}

/**
 * Exchanges the code of a sign-in for tokens, within the limits of time and size of all our calls. Checks what
 * next-auth leaves to such a function: that the answer belongs to this browser's sign-in and comes from our issuer,
 * and that the id token was issued for it. Throws when anything is wrong.
 */
export async function exchangeSignIn({ params, checks, provider }: Parameters<Exchange>[0]) {
  const { state, code_verifier: codeVerifier, nonce } = checksSchema.parse(checks);
  const { issuer, jwks_uri, authorization_response_iss_parameter_supported: namesIssuer } = await discover();
  if (params.state !== state) throw new SignInRefused('the state of another sign-in');
  if (namesIssuer || params['iss'] !== undefined) {
    if (params['iss'] !== issuer) throw new SignInRefused('another issuer');
  }
  if (!params.code) throw new SignInRefused('no code');
  const tokens = await exchangeCode({ code: params.code, codeVerifier, redirectUri: provider.callbackUrl });
  const payload = await verifyToken(tokens.id_token, jwks_uri, {
    issuer,
    audience: env().AUTH0_CLIENT_ID,
    algorithms: ['RS256'],
    requiredClaims: ['exp', 'iat', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  });
  const claims = idTokenSchema.parse(payload);
  if (claims.nonce !== nonce) throw new SignInRefused('the id token of another sign-in');
  if (claims.azp !== undefined && claims.azp !== env().AUTH0_CLIENT_ID) {
    throw new SignInRefused('the id token of another application');
  }
  return { tokens };
}
