import type { TestProduct } from './product';

type Key = Parameters<TestProduct['call']>[0];

/** A started OAuth leg: where the browser was sent, and its cookie. */
export interface StartedLeg {
  authorize: URL;
  state: string;
  cookie: string;
}

const LEGS = {
  discord: {
    method: 'GET',
    start: '/api/discord/bot-install/url',
    callback: '/api/discord/bot-install/callback',
  },
  notion: { method: 'POST', start: '/api/app/setup/connect-notion', callback: '/api/notion/callback' },
} as const;

export type Leg = keyof typeof LEGS;

/** Starts a leg as a person's browser does. */
export async function startLeg(
  product: TestProduct,
  leg: Leg,
  key: Key,
  returnTo?: string,
): Promise<StartedLeg> {
  const { method, start } = LEGS[leg];
  const answer = await product.call(key, method, start, method === 'POST' ? { returnTo } : undefined);
  const authorize = new URL(answer.body.url ?? answer.body.oauthUrl);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return { authorize, cookie, state: authorize.searchParams.get('state') ?? '' };
}

/** Returns from the other service with any query. Returns the path to which the browser is redirected. */
export function comeBack(
  product: TestProduct,
  leg: Leg,
  query: Record<string, string>,
  cookie: string,
): Promise<string> {
  return product.land(`${product.url}${LEGS[leg].callback}?${new URLSearchParams(query)}`, cookie);
}

/** The setup page with an error, as a path. */
export function setupError(error: string, details?: string): string {
  return `/setup?${new URLSearchParams({ error, ...(details && { details }) })}`;
}
