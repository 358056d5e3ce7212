import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONNECTIONS, SIGN_IN_SCOPE } from '@/lib/integrations/identity/identity-provider';
import { type Sandbox, startSandbox } from '../main';

const DAY_MS = 86_400_000;
const appUrl = 'http://localhost:3000';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ ports: { identity: 0, discord: 0, notion: 0, stripe: 0 }, appUrl });
});
afterAll(() => sandbox.stop());

test('a browser keeps the cookies of a sign-in after days have passed for the stand-ins', async () => {
  const { urls, credentials } = sandbox.context;
  const body = JSON.stringify({ advanceMs: 3 * DAY_MS });
  await fetch(`${urls.identity}/_sandbox/clock`, { method: 'POST', body });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: credentials.auth0.clientId,
    redirect_uri: `${appUrl}/api/auth/callback/auth0`,
    scope: SIGN_IN_SCOPE,
    audience: credentials.auth0.audience,
    connection: CONNECTIONS.dev,
    state: 'any',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const { headers } = await fetch(`${urls.identity}/authorize?${query}`, {
    headers: { accept: 'text/html,application/xhtml+xml' },
    redirect: 'manual',
  });
  const expiries = headers.getSetCookie().flatMap((cookie) => /expires=([^;]+)/i.exec(cookie)?.[1] ?? []);
  expect(expiries).not.toEqual([]);
  // A browser counts from the server's time.
  const now = Date.parse(headers.get('date') ?? '');
  expect(expiries.filter((expiry) => Date.parse(expiry) <= now)).toEqual([]);
});
