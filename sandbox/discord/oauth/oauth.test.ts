import { beforeEach, describe, expect, test } from 'vitest';
import { APP_URL, APPLICATION, ASKED, LANTERN_WORKS, MIRA, testSandbox } from '../test-sandbox';

let sandbox: ReturnType<typeof testSandbox>;

beforeEach(() => {
  sandbox = testSandbox();
});

const REDIRECT = `${APP_URL}/api/discord/bot-install/callback`;
const QUERY = {
  client_id: APPLICATION,
  scope: 'bot applications.commands identify',
  permissions: ASKED,
  response_type: 'code',
  redirect_uri: REDIRECT,
  state: 'state-1',
};
const pathOf = (query: object) => `/oauth2/authorize?${new URLSearchParams({ ...QUERY, ...query })}`;

async function decide(decision: 'authorize' | 'cancel', { person = 'mira', guild = LANTERN_WORKS } = {}) {
  const body = new URLSearchParams({ person, decision, guild_id: guild });
  for (const bit of ['1024', '2048', '16384']) body.append('permission', bit);
  const response = await sandbox.app.request(pathOf({}), { method: 'POST', body });
  const location = response.headers.get('location');
  return {
    status: response.status,
    query: location ? new URL(location).searchParams : new URLSearchParams(),
  };
}

const exchange = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  sandbox.api('POST', '/oauth2/token', {
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: REDIRECT,
      ...form,
    }).toString(),
    headers: {
      authorization: `Basic ${btoa(`${APPLICATION}:client-secret`)}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  });

describe('the authorize page', () => {
  test.each([
    ['an unknown client', { client_id: '1' }],
    ['a redirect address of another origin', { redirect_uri: 'https://evil.example/cb' }],
    ['a wrong response type', { response_type: 'token' }],
    ['an unknown scope', { scope: 'bot everything' }],
    ['permissions that do not exist', { permissions: String(1n << 62n) }],
  ])('refuses %s', async (_name, query) => {
    expect((await sandbox.app.request(pathOf(query))).status).toBe(400);
  });

  test('offers only the servers that the person manages', async () => {
    const html = async (person: string) => (await sandbox.app.request(pathOf({ person }))).text();
    expect(await html('mira')).toMatch(/Lantern Works[\s\S]*Lantern Playtest/);
    expect(await html('jonas')).not.toContain('Lantern Playtest');
    expect(await html('vera')).not.toContain('Lantern Works');
    expect((await decide('authorize', { person: 'vera' })).status).toBe(403);
  });

  test('cancelling returns access_denied with the state', async () => {
    const { query } = await decide('cancel');
    expect([query.get('error'), query.get('state'), query.get('code')]).toEqual([
      'access_denied',
      'state-1',
      null,
    ]);
  });
});

describe('the token exchange', () => {
  test('names the server and the person, once', async () => {
    const { query } = await decide('authorize');
    expect([query.get('guild_id'), query.get('permissions')]).toEqual([LANTERN_WORKS, '19456']);
    const code = query.get('code') ?? '';
    const { status, body } = await exchange({ code });
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', guild: { id: LANTERN_WORKS, name: 'Lantern Works' } });
    const me = await sandbox.api('GET', '/oauth2/@me', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(me.body).toMatchObject({
      user: { id: MIRA },
      scopes: ['bot', 'applications.commands', 'identify'],
    });
    const again = await exchange({ code });
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  });

  test('refuses JSON, a wrong secret, another redirect address and an old code', async () => {
    const code = (await decide('authorize')).query.get('code') ?? '';
    expect((await exchange({ code }, { 'content-type': 'application/json' })).status).toBe(400);
    expect(
      (await exchange({ code }, { authorization: `Basic ${btoa(`${APPLICATION}:wrong`)}` })).status,
    ).toBe(401);
    expect((await exchange({ code, redirect_uri: `${APP_URL}/other` })).body.error).toBe('invalid_grant');
    sandbox.advance(11 * 60_000);
    expect((await exchange({ code })).body.error).toBe('invalid_grant');
  });

  test('a revoked token is no longer accepted', async () => {
    const code = (await decide('authorize')).query.get('code') ?? '';
    const { body } = await exchange({ code });
    const form = { client_id: APPLICATION, client_secret: 'client-secret', token: body.access_token };
    const headers = { authorization: undefined, 'content-type': 'application/x-www-form-urlencoded' };
    await sandbox.api('POST', '/oauth2/token/revoke', {
      body: new URLSearchParams(form).toString(),
      headers,
    });
    const me = await sandbox.api('GET', '/users/@me', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(me.status).toBe(401);
  });
});
