import { NextRequest } from 'next/server';
import { limitAddress } from './limit-address';
import { readText } from './read-body';
import { respond } from './respond';

const MAX_BODY_BYTES = 64 * 1024;

/** A sign-in or sign-out handler that builds its own response: limits the rate by address and the size of the body. */
export function signInRoute<Context>(handler: (request: NextRequest, context: Context) => Promise<Response>) {
  return (request: NextRequest, context: Context): Promise<Response> =>
    respond(request, async () => {
      // The browser asks for its session often, and mostly without a call to the identity provider.
      limitAddress(request, request.nextUrl.pathname.endsWith('/session') ? 'calls' : 'flows');
      return handler(await withReadBody(request), context);
    });
}

async function withReadBody(request: NextRequest): Promise<NextRequest> {
  if (request.method !== 'POST') return request;
  const { url, method, headers } = request;
  return new NextRequest(url, { method, headers, body: await readText(request, MAX_BODY_BYTES) });
}
