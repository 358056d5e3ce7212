import type { AuthOptions } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { env } from '@/lib/env';
import { connectionName, discoveryUrl } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { SECOND_MS } from '@/lib/time';
import { accountOf } from './account';
import { createSession, currentAccessToken, expiryOf } from './session-tokens';

const profileSchema = z.object({
  sub: z.string(),
  nickname: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  picture: z.string().optional(),
});

type IdentityProfile = z.infer<typeof profileSchema>;

function identityProvider(): OAuthConfig<IdentityProfile> {
  return {
    id: 'auth0',
    name: 'Discord',
    type: 'oauth',
    wellKnown: discoveryUrl(),
    clientId: env().AUTH0_CLIENT_ID,
    clientSecret: env().AUTH0_CLIENT_SECRET,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    authorization: {
      params: {
        scope: 'openid profile email offline_access',
        audience: env().AUTH0_AUDIENCE,
        connection: connectionName(),
      },
    },
    profile: (profile) => ({ id: profile.sub, name: profile.nickname ?? profile.name ?? null }),
  };
}

/**
 * The options of next-auth, which signs people in; its encrypted cookie holds the id of a session row and the profile,
 * never a token of the provider. `whenUnknown` receives the error if we cannot tell whether a session is still valid,
 * because next-auth treats any error as a sign-out and deletes the cookie.
 */
export function authOptions(whenUnknown: (reason: unknown) => void): AuthOptions {
  return {
    secret: env().NEXTAUTH_SECRET,
    providers: [identityProvider()],
    pages: { signIn: '/callback', error: '/callback' },
    logger: {
      error: (code, metadata) => log.error({ code, err: metadata }, 'sign-in failed'),
      warn: () => {},
      debug: () => {},
    },
    callbacks: {
      async jwt({ token, account, profile }) {
        if (!account) return token;
        const { sub, ...claims } = profileSchema.parse(profile);
        const nickname = claims.nickname ?? claims.name ?? null;
        const email = claims.email ?? null;
        const picture = claims.picture ?? null;
        const customer = await accountOf(sub, { discordUsername: nickname, email, picture });
        const expiresAt = account.expires_at ? new Date(account.expires_at * SECOND_MS) : expiryOf();
        const tokens = {
          accessToken: z.string().parse(account.access_token),
          refreshToken: account.refresh_token,
          idToken: account.id_token,
        };
        return {
          sub,
          sessionId: await createSession(customer.id, tokens, expiresAt),
          profile: { sub, nickname, email, picture },
        };
      },
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
