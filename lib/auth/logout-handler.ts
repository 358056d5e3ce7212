import type { NextRequest } from 'next/server';
import { getToken } from 'next-auth/jwt';
import { env } from '@/lib/env';
import { endSessionUrl } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { endSession } from './session-tokens';

/**
 * GET /logout: ends our session and the identity provider's, then returns to /?mode=app. `forgotten` is a further cookie
 * to set, which ends what else belongs to the session.
 */
export async function logoutHandler(request: NextRequest, forgotten: string): Promise<Response> {
  // Another site can link here, but only our own pages and the address bar may end a session.
  const site = request.headers.get('sec-fetch-site');
  const landing = new URL('/?mode=app', env().APP_URL).href;
  if (site === 'cross-site') return Response.redirect(landing, 302);

  const token = await getToken({ req: request, secret: env().NEXTAUTH_SECRET });
  const idToken = token && (await endSession(token.sessionId));
  const target = token && (await endSessionUrl(idToken ?? undefined, landing).catch(logged));
  const response = new Response(null, { status: 302, headers: { location: target ?? landing } });
  for (const { name } of request.cookies.getAll()) {
    if (!name.includes('next-auth.session-token')) continue;
    const secure = name.startsWith('__Secure-') ? '; Secure' : '';
    response.headers.append('set-cookie', `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure}`);
  }
  response.headers.append('set-cookie', forgotten);
  return response;
}

function logged(error: unknown): null {
  log.warn({ err: error }, 'could not ask the identity provider to end its session');
  return null;
}
