import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { basicHeader, connect, consent, type NotionStage, startNotion } from '../start-notion';

let stage: NotionStage;

beforeAll(async () => {
  stage = await startNotion();
});
afterAll(() => stage.stop());
beforeEach(() => stage.store.reset());

const link = (changes: Record<string, string> = {}) => {
  const fields = {
    client_id: stage.context.credentials.notion.clientId,
    redirect_uri: stage.redirectUri,
    response_type: 'code',
    owner: 'user',
    state: 'some-state',
    ...changes,
  };
  return `${stage.url}/v1/oauth/authorize?${new URLSearchParams(fields)}`;
};

async function token(body: unknown, headers: Record<string, string> = basicHeader()) {
  const response = await stage.call('POST', '/v1/oauth/token', { body, headers });
  return { status: response.status, body: await response.json() };
}

const redeem = (code: string, redirect_uri = stage.redirectUri) =>
  token({ grant_type: 'authorization_code', code, redirect_uri });
const refresh = (refresh_token: string) => token({ grant_type: 'refresh_token', refresh_token });

describe('the consent page', () => {
  test("offers a person's own databases and the pages at the top, some of them not ticked", async () => {
    const page = await (await fetch(link({ person: 'mira' }))).text();
    expect(page).toMatch(/Lantern Works/);
    expect(page.match(/type="checkbox"/g)).toHaveLength(7);
    expect(page.match(/type="checkbox"[^>]* checked/g)).toHaveLength(4);
    const hers = await (await fetch(link({ person: 'vera' }))).text();
    expect(hers).toMatch(/Night market/);
    expect(hers).not.toMatch(/Sprint board/);
    expect(await (await fetch(link({ person: 'jonas' }))).text()).not.toMatch(/Studio budget/);
  });

  test.each([
    ['client_id', 'wrong'],
    ['redirect_uri', 'https://elsewhere.example/callback'],
    ['response_type', 'token'],
    ['owner', 'workspace'],
  ])('refuses a wrong %s', async (name, value) => {
    const response = await fetch(link({ [name]: value }));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(name);
  });

  test('refuses another address of the application than the registered one', async () => {
    expect((await fetch(link({ redirect_uri: `${stage.redirectUri}/x` }))).status).toBe(400);
  });

  test('redirects with access_denied and the state when cancelled', async () => {
    const body = new URLSearchParams(`${new URL(link()).searchParams}&signed_in=mira&decision=cancel`);
    const response = await fetch(`${stage.url}/v1/oauth/authorize`, {
      method: 'POST',
      body,
      redirect: 'manual',
    });
    expect(response.headers.get('location')).toBe(
      `${stage.redirectUri}?error=access_denied&state=some-state`,
    );
  });

  test('never shares what the person has no access to', async () => {
    const tokens = await connect(stage, 'jonas', ['Studio budget', 'Night market', 'Bug reports']);
    const search = await stage.call('POST', '/v1/search', {
      token: tokens.access_token,
      body: { filter: { property: 'object', value: 'data_source' } },
    });
    expect(((await search.json()) as { results: unknown[] }).results).toHaveLength(1);
  });
});

describe('the token call', () => {
  test('returns the whole installation, even if nothing is shared', async () => {
    const { status, body } = await redeem(await consent(stage, 'mira', []));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'bearer',
      workspace_name: 'Lantern Works',
      owner: {
        type: 'user',
        user: { name: 'Mira Castellan', person: { email: 'mira@lanternworks.example' } },
      },
      duplicated_template_id: null,
    });
    expect(body).not.toHaveProperty('expires_in');
  });

  test('names the person only by the id when it is told to', async () => {
    await stage.control('PATCH', '/settings', { partialOwner: true });
    const { owner } = (await redeem(await consent(stage, 'mira', []))).body;
    expect(owner).toEqual({ type: 'user', user: { object: 'user', id: expect.any(String) } });
  });

  test('accepts a code once, with the right redirect_uri, before it expires', async () => {
    const code = await consent(stage, 'mira', []);
    expect((await redeem(code)).status).toBe(200);
    expect((await redeem(code)).body).toMatchObject({ status: 400, code: 'invalid_grant' });
    const other = await consent(stage, 'mira', []);
    expect((await redeem(other, `${stage.redirectUri}/x`)).body.code).toBe('invalid_grant');
    const late = await consent(stage, 'mira', []);
    stage.advance(11 * 60_000);
    expect((await redeem(late)).body.code).toBe('invalid_grant');
  });

  test.each([
    ['without credentials', { authorization: '' }, 401, 'invalid_client'],
    ['without a version', { ...basicHeader(), 'notion-version': '' }, 400, 'missing_version'],
    [
      'as a form',
      { ...basicHeader(), 'content-type': 'application/x-www-form-urlencoded' },
      400,
      'invalid_json',
    ],
  ])('is refused %s', async (_, headers, status, code) => {
    const body = { grant_type: 'authorization_code', code: 'x', redirect_uri: stage.redirectUri };
    expect((await token(body, headers)).body).toMatchObject({ status, code });
  });

  test('a refresh token works once and replaces both tokens', async () => {
    const first = await connect(stage, 'mira', []);
    const second = await refresh(first.refresh_token);
    expect(second.body).toMatchObject({ bot_id: first.bot_id });
    expect(second.body.access_token).not.toBe(first.access_token);
    expect((await refresh(first.refresh_token)).body.code).toBe('invalid_grant');
    expect((await stage.call('GET', '/v1/users/me', { token: first.access_token })).status).toBe(401);
    expect((await stage.call('GET', '/v1/users/me', { token: second.body.access_token })).status).toBe(200);
  });

  test('connecting again keeps the bot; another person gets another one', async () => {
    const first = await connect(stage, 'mira', []);
    const again = await connect(stage, 'mira', ['Sprint board']);
    const jonas = await connect(stage, 'jonas', []);
    expect(again.bot_id).toBe(first.bot_id);
    expect(jonas.bot_id).not.toBe(first.bot_id);
    expect(jonas.workspace_id).toBe(first.workspace_id);
  });
});

test('a revoked token is dead, and introspect says so', async () => {
  const { access_token } = await connect(stage, 'mira', []);
  const options = { body: { token: access_token }, headers: basicHeader() };
  const introspect = async () => (await stage.call('POST', '/v1/oauth/introspect', options)).json();
  expect(await introspect()).toMatchObject({ active: true });
  expect((await stage.call('POST', '/v1/oauth/revoke', options)).status).toBe(200);
  expect(await introspect()).toEqual({ active: false });
  expect((await stage.call('GET', '/v1/users/me', { token: access_token })).status).toBe(401);
});
