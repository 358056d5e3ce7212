import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, type JWK, jwtVerify } from 'jose';
import { z } from 'zod';
import type { SandboxContext } from '../context';
import { PEOPLE } from '../people';
import { avatarSvg } from './avatar';
import { findPerson, profileClaims } from './identity-account';
import { identityKeys, identityState } from './identity-state';
import { createProvider } from './oidc';
import { indexPage } from './pages';
import { send, sendJson } from './respond';
import { signIn } from './sign-in';

const controlSchema = z.strictObject({
  accessTokenSeconds: z.number().int().min(1).max(2_592_000).optional(),
  emailVerified: z.boolean().nullable().optional(),
});

/** The stand-in for the hosted identity provider. Its "Sign in with Discord" is a choice of people. */
export async function identityListener(context: SandboxContext): Promise<RequestListener> {
  const state = identityState(context);
  const provider = await createProvider(context, state);
  const answerByProvider = provider.callback();
  const keySet = createLocalJWKSet({ keys: [publicKey(identityKeys(context).signing)] });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', context.urls.identity);
    const path = url.pathname;
    // A browser counts the expiry of cookies from the server's time, and oidc-provider sets it by the real one.
    if (request.headers.accept?.includes('text/html')) response.setHeader('date', new Date().toUTCString());
    if (path === '/_sandbox/identity') return control(request, response);
    if (path === '/_sandbox/identity/revoke') return revokeAll(response);
    if (await misbehave(context, request, response, path)) return;
    if (path === '/') return send(response, 200, 'text/html', index());
    if (path.startsWith('/avatars/')) return sendAvatar(response, path);
    if (path.startsWith('/sign-in/')) return signIn(provider, request, response);
    if (path === '/userinfo' && isJwtBearer(request)) return userinfo(request, response);
    if (path === '/authorize') allowOfflineAccess(request, url);
    answerByProvider(request, response);
  }

  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const change = controlSchema.safeParse(parseJson(await text(request)));
    if (!change.success) return sendJson(response, 400, { error: z.prettifyError(change.error) });
    Object.assign(state.value, change.data);
    state.save();
    sendJson(response, 200, change.data);
  }

  /** What an administrator's "log out everywhere" does: all refresh tokens stop working. */
  function revokeAll(response: ServerResponse): void {
    state.value.records = {};
    state.save();
    sendJson(response, 200, {});
  }

  /** oidc-provider refuses access tokens for an API here, while the hosted provider accepts them. */
  async function userinfo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = (request.headers.authorization ?? '').slice('Bearer '.length);
    const options = { issuer: `${context.urls.identity}/`, audience: `${context.urls.identity}/userinfo` };
    const subject = await jwtVerify(token, keySet, options).then(
      ({ payload }) => payload.sub ?? '',
      () => '',
    );
    const person = findPerson(subject);
    if (!person) return sendJson(response, 401, { error: 'invalid_token' });
    sendJson(response, 200, profileClaims(context, state.value, subject, person));
  }

  function index(): string {
    return indexPage([
      { href: context.appUrl, title: 'Pagewire', about: 'The application' },
      {
        href: context.urls.discord,
        title: 'Discord',
        about: 'Servers, channels and the cards posted in them',
      },
      { href: context.urls.notion, title: 'Notion', about: 'Databases to look at and to edit' },
      {
        href: context.urls.stripe,
        title: 'Stripe',
        about: 'Customers, webhooks, and the clock that turns periods',
      },
    ]);
  }

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 400, { error: error instanceof Error ? error.message : String(error) });
    });
  };
}

/** oidc-provider issues a refresh token only after a consent prompt, while the hosted provider needs none. */
function allowOfflineAccess(request: IncomingMessage, url: URL): void {
  if (!url.searchParams.get('scope')?.split(' ').includes('offline_access')) return;
  const prompts = new Set(url.searchParams.get('prompt')?.split(' '));
  if (prompts.has('none')) return;
  url.searchParams.set('prompt', [...prompts.add('consent')].join(' '));
  request.url = `${url.pathname}${url.search}`;
}

/** Applies an active fault; returns true if that answered the call. */
async function misbehave(
  context: SandboxContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  const kinds = ['fail', 'slow', 'hangup', 'flood'] as const;
  const fault = context.faults.take('identity', [...kinds], `${request.method} ${path}`);
  if (fault?.kind === 'flood') {
    response.writeHead(200, { 'content-type': 'application/json' });
    // Sends until the caller hangs up.
    pipeline(Readable.from(endless()), response, () => undefined);
    return true;
  }
  if (fault?.kind === 'fail') {
    sendJson(response, fault.status, {
      error: 'server_error',
      error_description: 'The sandbox was told to fail',
    });
    return true;
  }
  if (fault?.kind === 'slow') await context.faults.wait(fault);
  // oidc-provider cannot read a request whose caller has hung up.
  if (request.socket.destroyed) return true;
  if (fault?.kind === 'hangup') response.end = () => response.destroy();
  return false;
}

function* endless(): Generator<string> {
  yield '{"access_token":"';
  for (;;) yield 'x'.repeat(64 * 1024);
}

function sendAvatar(response: ServerResponse, path: string): void {
  const person = PEOPLE.find(({ key }) => path === `/avatars/${key}.svg`);
  if (person) send(response, 200, 'image/svg+xml', avatarSvg(person));
  else send(response, 404, 'text/plain', 'Not found');
}

function publicKey({ kty, n, e, kid, alg, use }: JWK): JWK {
  return { kty, n, e, kid, alg, use };
}

function isJwtBearer(request: IncomingMessage): boolean {
  return /^Bearer [^.]+\.[^.]+\.[^.]+$/.test(request.headers.authorization ?? '');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
