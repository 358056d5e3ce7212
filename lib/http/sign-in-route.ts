import { NextRequest } from 'next/server';
import { limitAddress } from './limit-address';
import { parseBody, readText } from './read-body';
import { respond } from './respond';

const MAX_BODY_BYTES = 64 * 1024;

/**
 * A sign-in or sign-out handler that builds its own response: limits the rate by address and the size of the body, and
 * refuses a body that is not the JSON that it says it is.
 */
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
  const body = await readText(request, MAX_BODY_BYTES);
  // next-auth would take what it cannot read for an error of ours.
  if (headers.get('content-type')?.includes('application/json')) parseBody(body);
  return new NextRequest(url, { method, headers, body });
}
