import type { NextRequest } from 'next/server';
import NextAuth from 'next-auth';
import { AppError } from '@/lib/errors';
import { discover } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { authOptions } from './auth-options';

export interface AuthRouteContext {
  params: Promise<{ nextauth: string[] }>;
}

const SIGN_IN = 'POST signin/auth0';
const CALLBACK = 'GET callback/auth0';

// https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2.1
const CANCELLED = 'access_denied';

// A sentence or two of the provider.
const MAX_REASON = 300;

// What our pages call, and where next-auth and the provider send the browser. next-auth has more paths, and one of them
// would let anybody write to the log.
const CALLS = [SIGN_IN, CALLBACK, 'GET csrf', 'GET error', 'GET session', 'GET signin'];

/**
 * Handles the paths under /api/auth that are used. Throws `not_found` for others, `invalid_input`, and any error that
 * keeps us from reading or renewing a session right now.
 */
export async function authHandler(request: NextRequest, context: AuthRouteContext): Promise<Response> {
  const call = `${request.method} ${(await context.params).nextauth.join('/')}`;
  if (!CALLS.includes(call)) throw new AppError('not_found', 'There is no such path.');
  if (request.nextUrl.searchParams.has('callbackUrl')) {
    throw new AppError('invalid_input', 'callbackUrl belongs in the body of a sign-in.');
  }
  if (call === CALLBACK && request.nextUrl.searchParams.has('error')) return toRefused(request.nextUrl);
  const authorizationUrl = call === SIGN_IN ? await findAuthorizationUrl() : undefined;
  const reasons: unknown[] = [];
  const options = authOptions({ authorizationUrl, whenUnknown: (reason) => void reasons.push(reason) });
  const response = await NextAuth(options)(request, context);
  if (reasons.length > 0) throw reasons[0];
  // Our configuration is complete, so next-auth's configuration error means a cookie that it did not set.
  if (response.status === 500) {
    throw new AppError(
      'invalid_input',
      'The cookies of this site are damaged. Delete them and sign in again.',
    );
  }
  return response;
}

// next-auth does not tell somebody who pressed Cancel from any other failure, and nobody why they were refused.
function toRefused({ searchParams }: URL): Response {
  const error = searchParams.get('error') === CANCELLED ? 'AccessDenied' : 'Callback';
  const reason = searchParams.get('error_description')?.slice(0, MAX_REASON);
  const query = new URLSearchParams({ error, ...(reason && { error_description: reason }) });
  // The words are anybody's who calls this address, so they are not logged.
  if (error === 'Callback') log.warn('sign-in refused by the provider');
  const headers = { location: `/callback?${query}`, 'cache-control': 'no-store' };
  return new Response(null, { status: 302, headers });
}

// Without this address, next-auth shows the page for a sign-in that could not be started.
async function findAuthorizationUrl(): Promise<string | undefined> {
  try {
    return (await discover()).authorization_endpoint;
  } catch (error) {
    log.error({ err: error }, 'sign-in not started');
    return undefined;
  }
}
