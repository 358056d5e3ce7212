import { randomUUID } from 'node:crypto';
import type { TestProduct } from './product';

/** Signs a person in at the identity provider as a browser does. Returns the provider's answer for the code. */
export async function signInAtProvider(product: TestProduct, person: string) {
  const { context } = product.sandbox;
  const { clientId, clientSecret } = context.credentials.auth0;
  const { code = '' } = await comeBackFromProvider(product, person);
  const answer = await fetch(`${context.urls.identity}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri(product) }),
  });
  const tokens = await answer.json();
  return { accessToken: tokens.access_token as string, refreshToken: tokens.refresh_token as string };
}

/** Where the provider sends the browser back to. */
export const redirectUri = ({ sandbox }: TestProduct) => `${sandbox.context.appUrl}/api/auth/callback/auth0`;

/** Chooses a person at the identity provider. Returns the query with which the browser comes back. */
export async function comeBackFromProvider(
  product: TestProduct,
  person: string,
  more: Record<string, string> = {},
): Promise<Record<string, string>> {
  const { context } = product.sandbox;
  const { clientId, audience } = context.credentials.auth0;
  const start = new URL(`${context.urls.identity}/authorize`);
  start.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri(product),
    response_type: 'code',
    scope: 'openid profile email offline_access',
    audience,
    connection: 'discord-dev',
    state: randomUUID(),
    ...more,
  }).toString();
  const back = await choose(start, redirectUri(product), person);
  return Object.fromEntries(back.searchParams);
}

/** Follows the provider's pages, choosing the person on the way. Returns the address at the end. */
async function choose(start: URL, end: string, person: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let address = start;
  let form: URLSearchParams | undefined;
  for (;;) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const page: Response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: form }),
    });
    for (const line of page.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/);
      cookies.set(name, value);
    }
    const location = page.headers.get('location');
    form = location ? undefined : new URLSearchParams({ person });
    if (location) address = new URL(location, address);
    if (address.href.startsWith(end)) return address;
  }
}
