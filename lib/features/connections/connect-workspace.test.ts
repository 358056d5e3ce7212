import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { comeBack, setupError, startLeg } from '@/lib/testing/oauth-legs';
import { TestProduct } from '@/lib/testing/product';

let product: TestProduct;
let ids: Map<string, string>;

beforeAll(async () => {
  product = await TestProduct.start();
  ids = new Map([...(await product.databases())].map(([name, { id }]) => [name, id]));
});
afterAll(() => product.stop());
afterEach(async () => {
  product.sandbox.context.faults.clear();
  await db().account.deleteMany();
});

type Key = 'mira' | 'jonas' | 'vera';
const pick = (...names: string[]) => names.map((name) => ids.get(name) ?? '');
const workspaceOf = async (key: Key) => (await product.call(key, 'GET', '/api/app/notion/workspace')).body;
const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);
const fail = (match: string, status: number) =>
  product.sandbox.context.faults.add({ target: 'notion', kind: 'fail', match, times: 1, status, delayMs: 0 });

test('connecting shows the shared databases and the people, and links whoever authorised', async () => {
  expect(await product.connectNotion('mira', pick('Sprint board', 'Design docs'))).toBe('/setup');
  const workspace = await workspaceOf('mira');
  expect(workspace).toMatchObject({
    name: 'Lantern Works',
    installer_discord_user_id: '208917000000000101',
    problem: null,
  });
  expect(workspace.databases).toMatchObject([
    { name: 'Design docs', type: 'page', statusOptions: [], statusGroups: [] },
    { name: 'Sprint board', type: 'task', icon: '🔥' },
  ]);
  expect(workspace.databases[1].statusOptions).toEqual([
    'Backlog',
    'Not started',
    'In progress',
    'In review',
    'Playtesting',
    'Done',
    'Cut',
  ]);
  expect(namesOf(workspace.databases[1].statusGroups)).toEqual(['To-do', 'In progress', 'Complete']);
  expect(namesOf(workspace.users)).toContain('Jonas Brandt');
  expect(namesOf(workspace.users)).not.toContain('Build herald');
  const links = await product.call('mira', 'GET', '/api/app/account-links');
  expect(links.body.linkedAccounts).toMatchObject([
    { discord_user_id: '208917000000000101', notion_display_name: 'Mira Castellan' },
  ]);
});

test('the browser lands on the path that the leg was started for', async () => {
  const start = await startLeg(product, 'notion', 'mira', '/notion?setup=completed');
  expect(await comeBack(product, 'notion', await allow(start.authorize), start.cookie)).toBe(
    '/notion?setup=completed',
  );
});

/** Allows access on Notion's page without going back. */
async function allow(authorize: URL): Promise<Record<string, string>> {
  const form = new URLSearchParams(authorize.searchParams);
  form.set('decision', 'allow');
  form.set('signed_in', '5b1f0c3a-1111-4d0e-9a01-000000000101');
  const granted = await fetch(`${authorize.origin}${authorize.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return Object.fromEntries(new URL(granted.headers.get('location') ?? '').searchParams);
}

test('the tokens are sealed: neither stands in the database', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  const row = await db().notionWorkspace.findFirstOrThrow();
  const stored = Buffer.from(row.sealedTokens).toString('latin1');
  expect(stored).not.toMatch(/ntn_|nrt_|secret_|accessToken/);
});

test('connecting without sharing anything works, and shows no databases', async () => {
  expect(await product.connectNotion('mira', [])).toBe('/setup');
  expect((await workspaceOf('mira')).databases).toEqual([]);
});

test('connecting again replaces the token and the list of databases, and keeps one workspace', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  expect(await product.connectNotion('mira', pick('Sprint board', 'Bug reports'))).toBe('/setup');
  expect(namesOf((await workspaceOf('mira')).databases)).toEqual(['Bug reports', 'Sprint board']);
  expect(await db().notionWorkspace.count()).toBe(1);
});

test('a second workspace is refused', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  expect(await product.connectNotion('mira', pick('Night market'), 'vera')).toBe(
    setupError(
      'oauth_failed',
      'Your plan has one workspace, and Lantern Works is connected. Disconnect it first.',
    ),
  );
  expect(await workspaceOf('mira')).toMatchObject({ name: 'Lantern Works' });
});

test('two accounts may connect one workspace, each with its own connection', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  await product.connectNotion('jonas', pick('Design docs'));
  expect(namesOf((await workspaceOf('mira')).databases)).toEqual(['Sprint board']);
  expect(namesOf((await workspaceOf('jonas')).databases)).toEqual(['Design docs']);
  const bots = await db().notionWorkspace.findMany({ select: { botId: true } });
  expect(new Set(bots.map(({ botId }) => botId)).size).toBe(2);
});

test.each([400, 401, 429, 500])(
  'when Notion answers the code with %d, the exchange has failed',
  async (status) => {
    fail('oauth/token', status);
    expect(await product.connectNotion('mira', pick('Sprint board'))).toBe(
      setupError('token_exchange_failed'),
    );
    expect(await workspaceOf('mira')).toBeNull();
  },
);

test('when the people cannot be read, nothing is connected', async () => {
  fail('v1/users', 500);
  expect(await product.connectNotion('mira', pick('Sprint board'))).toBe(setupError('user_fetch_failed'));
  expect(await workspaceOf('mira')).toBeNull();
});

test('a connection without the right to read people works without them', async () => {
  await product.control('notion', 'PATCH', '/settings', { userInformation: 'none' });
  expect(await product.connectNotion('mira', pick('Sprint board'))).toBe('/setup');
  expect(await workspaceOf('mira')).toMatchObject({ users: [], problem: null });
  await product.control('notion', 'PATCH', '/settings', { userInformation: 'with_email' });
});

test('disconnecting deletes the workspace with its links and makes the token useless', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  expect(await product.call('mira', 'DELETE', '/api/app/notion/workspace')).toMatchObject({ status: 200 });
  expect(await workspaceOf('mira')).toBeNull();
  const links = await product.call('mira', 'GET', '/api/app/account-links');
  expect(links.body).toEqual({ pendingRequests: [], linkedAccounts: [] });
  await product.work();
  const isActive = async () => {
    const list: { personId: string; isActive: boolean }[] = await product.control(
      'notion',
      'GET',
      '/authorizations',
    );
    return list.find(({ personId }) => personId.endsWith('101'))?.isActive;
  };
  await expect.poll(isActive, { timeout: 10_000 }).toBe(false);
  await product.rest();
});

test('deleting the account deletes every row of it, and only of it', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  await product.connectNotion('vera', pick('Night market'));
  expect(await product.call('mira', 'DELETE', '/api/app/account')).toMatchObject({ status: 200 });
  expect(await db().notionWorkspace.findMany({ select: { name: true } })).toEqual([{ name: 'Moth & Flame' }]);
  expect(await db().account.count()).toBe(1);
  expect(await db().accountLink.count()).toBe(1);
});
