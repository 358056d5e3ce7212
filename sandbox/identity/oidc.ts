import type { KoaContext } from 'oidc-provider';
import type { SandboxContext } from '../context';
import type { Slice } from '../store';
import { CONNECTIONS, findPerson, profileClaims } from './identity-account';
import { type IdentityState, identityKeys } from './identity-state';
import { loadOidcProvider } from './load-oidc-provider';
import { logoutPage, refusalPage } from './pages';
import { recordAdapter } from './record-adapter';

const SCOPES = ['openid', 'profile', 'email', 'offline_access'];
const DAY_SECONDS = 86_400;

/** An OpenID provider with the hosted provider's paths, token shapes and connection parameter. */
export async function createProvider(context: SandboxContext, state: Slice<IdentityState>) {
  const { default: Provider, errors } = await loadOidcProvider();
  const keys = identityKeys(context);
  const { clientId, clientSecret, audience } = context.credentials.auth0;
  const userinfo = `${context.urls.identity}/userinfo`;

  return new Provider(`${context.urls.identity}/`, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${context.appUrl}/api/auth/callback/auth0`],
        post_logout_redirect_uris: [context.appUrl, `${context.appUrl}/`, `${context.appUrl}/?mode=app`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    adapter: recordAdapter(state),
    jwks: { keys: [keys.signing] },
    cookies: { keys: keys.cookies },
    scopes: SCOPES,
    claims: {
      openid: ['sub'],
      profile: ['nickname', 'name', 'picture', 'updated_at'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    extraParams: {
      audience: null,
      screen_hint: null,
      connection: (_: unknown, connection: string | undefined) => {
        if (!connection || !CONNECTIONS.includes(connection)) {
          throw new errors.InvalidRequest('the connection was not found');
        }
      },
    },
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clientBasedCORS: () => false,
    ttl: {
      AccessToken: (_: unknown, token: { resourceServer?: { accessTokenTTL: number } }) =>
        token.resourceServer?.accessTokenTTL ?? DAY_SECONDS,
      AuthorizationCode: 60,
      IdToken: DAY_SECONDS,
      Interaction: 3600,
      RefreshToken: 30 * DAY_SECONDS,
      Session: 7 * DAY_SECONDS,
      Grant: 30 * DAY_SECONDS,
    },
    routes: {
      authorization: '/authorize',
      token: '/oauth/token',
      userinfo: '/userinfo',
      jwks: '/.well-known/jwks.json',
      end_session: '/oidc/logout',
      revocation: '/oauth/revoke',
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/sign-in/${uid}` },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: KoaContext, form: string) => respondHtml(ctx, logoutPage(form)),
        postLogoutSuccessSource: (ctx: KoaContext) =>
          respondHtml(ctx, refusalPage('Signed out', 'This tab can be closed.')),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx: KoaContext, _: unknown, oneOf?: string) =>
          oneOf ?? ctx.oidc.params?.['audience'],
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => {
          if (resource !== audience) throw new errors.InvalidTarget(`Service not found: ${resource}`);
          return {
            scope: SCOPES.join(' '),
            audience,
            accessTokenTTL: state.value.accessTokenSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          };
        },
      },
    },
    formats: {
      customizers: {
        jwt: (_: unknown, __: unknown, jwt: { header: object; payload: Record<string, unknown> }) => {
          const { client_id, jti: _jti, ...payload } = jwt.payload;
          jwt.header = { ...jwt.header, typ: 'JWT' };
          jwt.payload = { ...payload, aud: [audience, userinfo], azp: client_id };
        },
      },
    },
    findAccount: (_: unknown, subject: string) => {
      const person = findPerson(subject);
      return (
        person && { accountId: subject, claims: () => profileClaims(context, state.value, subject, person) }
      );
    },
    renderError: (ctx: KoaContext, out: { error: string; error_description?: string }) =>
      respondHtml(ctx, refusalPage('This sign-in cannot continue', out.error_description ?? out.error)),
  });
}

function respondHtml(ctx: KoaContext, html: string): void {
  ctx.type = 'html';
  ctx.body = html;
}
