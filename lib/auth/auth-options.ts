import type { AuthOptions, Profile, Account as ProviderAccount } from 'next-auth';
import type { JWT } from 'next-auth/jwt';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { env } from '@/lib/env';
import { connectionName, SIGN_IN_SCOPE } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { SECOND_MS } from '@/lib/time';
import { accountOf } from './account';
import { exchangeSignIn } from './exchange-sign-in';
import { type IdentityProfile, profileSchema, readProfile } from './read-profile';
import { createSession, currentAccessToken, expiryOf } from './session-tokens';

function identityProvider(authorizationUrl: string | undefined): OAuthConfig<IdentityProfile> {
  return {
    id: 'auth0',
    name: 'Discord',
    type: 'oauth',
    clientId: env().AUTH0_CLIENT_ID,
    clientSecret: env().AUTH0_CLIENT_SECRET,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: {
      ...(authorizationUrl && { url: authorizationUrl }),
      params: {
        scope: SIGN_IN_SCOPE,
        audience: env().AUTH0_AUDIENCE,
        connection: connectionName(),
      },
    },
    token: { request: (context) => logged(exchangeSignIn(context)) },
    userinfo: { request: ({ tokens }) => logged(readProfile(tokens)) as Promise<Profile> },
    profile: (profile) => ({ id: profile.sub, name: profile.nickname ?? profile.name ?? null }),
  };
}

// next-auth's own log lines may quote the caller; our errors do not.
async function logged<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    log.error({ err: error }, 'sign-in failed');
    throw error;
  }
}

interface SignInCall {
  /** Where the provider lets people sign in; absent when the call sends nobody there. */
  authorizationUrl?: string | undefined;
  /**
   * Receives the error if we cannot tell whether a session is still valid, because next-auth treats any error as a
   * sign-out and deletes the cookie.
   */
  whenUnknown: (reason: unknown) => void;
}

/**
 * The options of next-auth, which signs people in. Its encrypted cookie holds the id of a session row and the profile,
 * never a token of the provider. It is given no provider endpoints to call itself, because its calls have no limits on
 * time and size.
 */
export function authOptions({ authorizationUrl, whenUnknown }: SignInCall): AuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    providers: [identityProvider(authorizationUrl)],
    pages: { signIn: '/callback', error: '/callback' },
    logger: {
      error: (code) => log.warn({ code }, 'sign-in refused'),
      warn: () => {},
      debug: () => {},
    },
    callbacks: {
      redirect: ({ url, baseUrl }) => {
        const target = URL.canParse(url, baseUrl) ? new URL(url, baseUrl) : null;
        return target?.origin === new URL(baseUrl).origin ? target.href : baseUrl;
      },
      jwt: ({ token, account, profile }) => (account ? logged(beginSession(account, profile)) : token),
      async session({ session, token }) {
        const access = await currentAccessToken(token.sessionId).catch(whenUnknown);
        session.profile = token.profile;
        session.user = {
          name: token.profile.nickname,
          email: token.profile.email,
          image: token.profile.picture,
        };
        if (!access) return { ...session, error: 'RefreshFailed' };
        return {
          ...session,
          accessToken: access.accessToken,
          accessTokenExpiresAt: access.expiresAt.toISOString(),
        };
      },
    },
  };
}

async function beginSession(account: ProviderAccount, profile: unknown): Promise<JWT> {
  const { sub, ...claims } = profileSchema.parse(profile);
  const nickname = claims.nickname ?? claims.name ?? null;
  // An address that was never verified may be somebody else's. Not every provider says whether it was.
  const email = claims.email_verified === false ? null : (claims.email ?? null);
  const told = { discordUsername: nickname, email, picture: claims.picture ?? null };
  // If nothing is told, the provider could not be asked, and what it told before stands.
  const isTold = Object.values(told).some(Boolean);
  const customer = await accountOf(sub, isTold ? told : undefined);
  const expiresIn = account.expires_at && account.expires_at - Date.now() / SECOND_MS;
  const tokens = {
    accessToken: z.string().parse(account.access_token),
    refreshToken: account.refresh_token,
    idToken: account.id_token,
  };
  return {
    sub,
    sessionId: await createSession(customer.id, tokens, expiryOf(tokens.accessToken, expiresIn)),
    profile: {
      sub,
      nickname: customer.discordUsername,
      email: customer.email,
      picture: customer.picture,
    },
  };
}
