import type { TestProduct } from './product';

type Key = Parameters<TestProduct['call']>[0];

/** A started OAuth flow: where the browser was sent, and its cookie. */
export interface StartedOauthFlow {
  authorize: URL;
  state: string;
  cookie: string;
}

const OAUTH_FLOWS = {
  discord: {
    method: 'GET',
    start: '/api/discord/bot-install/url',
    callback: '/api/discord/bot-install/callback',
  },
  notion: { method: 'POST', start: '/api/app/setup/connect-notion', callback: '/api/notion/callback' },
} as const;

export type OauthService = keyof typeof OAUTH_FLOWS;

/** Starts a flow as a person's browser does. */
export async function startOauthFlow(
  product: TestProduct,
  service: OauthService,
  key: Key,
  returnTo?: string,
): Promise<StartedOauthFlow> {
  const { method, start } = OAUTH_FLOWS[service];
  const answer = await product.call(key, method, start, method === 'POST' ? { returnTo } : undefined);
  const authorize = new URL(answer.body.url ?? answer.body.oauthUrl);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { authorize, cookie, state: authorize.searchParams.get('state') ?? '' };
}

/** Returns from the other service with any query. Returns the path to which the browser is redirected. */
export function comeBack(
  product: TestProduct,
  service: OauthService,
  query: Record<string, string>,
  cookie: string,
): Promise<string> {
  return product.land(`${product.url}${OAUTH_FLOWS[service].callback}?${new URLSearchParams(query)}`, cookie);
}

/** The setup page with an error, as a path. */
export function setupError(error: string, details?: string): string {
  return `/setup?${new URLSearchParams({ error, ...(details && { details }) })}`;
}
