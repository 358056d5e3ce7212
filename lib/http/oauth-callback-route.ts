import { env } from '@/lib/env';
import { readBrowserKey } from './browser-key';
import { openRoute } from './open-route';

interface OauthReturn {
  query: URLSearchParams;
  browserKey: string;
}

/**
 * The page that another service redirects the browser back to: finishes the OAuth flow and redirects to one of our
 * paths.
 */
export function oauthCallbackRoute(finish: (back: OauthReturn) => Promise<string>) {
  return openRoute(async (request) => {
    const query = new URL(request.url).searchParams;
    const path = await finish({ query, browserKey: readBrowserKey(request) });
    const location = new URL(path, env().APP_URL).href;
    return new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } });
  }, 'flows');
}
