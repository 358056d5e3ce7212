import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db, transaction } from '@/lib/db/database';
import { listUsers } from '@/lib/integrations/notion/notion-catalog';
import { refreshNotionTokens } from '@/lib/integrations/notion/notion-oauth';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { comeBack, setupError, startOauthFlow } from '@/lib/testing/oauth-flows';
import { TestProduct } from '@/lib/testing/product';
import { untilBlocked } from '@/lib/testing/while-locked';
import { openNotionTokens, sealNotionTokens } from '../workspaces/notion-tokens';
import { refreshKeptWorkspace } from '../workspaces/refresh-workspace';

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
const fail = (match: string, status: number, kind: 'fail' | 'reshape' = 'fail') =>
  product.sandbox.context.faults.add({ target: 'notion', kind, match, times: 1, status, delayMs: 0 });

test('connecting shows the shared databases and the people, and links the person who authorised it', async () => {
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

test('the browser lands on the path that the flow was started for', async () => {
  const start = await startOauthFlow(product, 'notion', 'mira', '/notion?setup=completed');
  expect(await comeBack(product, 'notion', await allow(start.authorize), start.cookie)).toBe(
    '/notion?setup=completed',
  );
});

/** Allows access on Notion's page without following the redirect back. */
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

describe('connecting again keeps a database that a rule uses', () => {
  const shared = () => db().notionDatabase.findMany({ where: { isShared: true } });

  beforeEach(async () => {
    await product.connectNotion('mira', pick('Sprint board', 'Bug reports'));
    const { id: accountId } = await db().account.findFirstOrThrow();
    const guild = { accountId, guildId: '1', name: 'S', installerDiscordUserId: '1' };
    const { id: serverId } = await db().discordServer.create({ data: guild });
    const { id: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
    const { id: databaseId } = await db().notionDatabase.findFirstOrThrow({
      where: { name: 'Sprint board' },
    });
    const channel = { channelId: '1', channelName: 'c' };
    const source = { workspaceId, databaseId, eventType: 'page_created' as const };
    await db().rule.create({ data: { accountId, serverId, ...source, ...channel } });
  });

  afterEach(() => product.control('notion', 'PATCH', '/settings', { indexDelayMs: 0 }));

  test('while the list of databases cannot be read', async () => {
    fail('v1/search', 500);
    expect(await product.connectNotion('mira', pick('Sprint board', 'Bug reports'))).toBe('/setup');
    expect(namesOf(await shared()).sort()).toEqual(['Bug reports', 'Sprint board']);
  });

  test('while the list omits it', async () => {
    await product.control('notion', 'PATCH', '/settings', { indexDelayMs: 60_000 });
    expect(await product.connectNotion('mira', pick('Sprint board', 'Bug reports'))).toBe('/setup');
    expect(namesOf(await shared())).toContain('Sprint board');
  });
});

describe('whoever connects again', () => {
  const MIRA = '208917000000000101';
  const JONAS = { discordUserId: '208917000000000102', notionUserId: '5b1f0c3a-1111-4d0e-9a01-000000000102' };
  const linkOf = (discordUserId: string) => db().accountLink.findFirst({ where: { discordUserId } });

  beforeEach(async () => {
    await product.connectNotion('mira', pick('Sprint board'));
    await db().accountLink.updateMany({ data: { notify: 'on' } });
  });

  test('keeps their link with their direct messages, and gets the newest name', async () => {
    const before = await linkOf(MIRA);
    await db().accountLink.updateMany({ data: { notionDisplayName: 'Mira C.' } });
    expect(await product.connectNotion('mira', pick('Sprint board'))).toBe('/setup');
    expect(await linkOf(MIRA)).toEqual(before);
  });

  test('as another Notion user is linked to that one, by the same link', async () => {
    const before = await linkOf(MIRA);
    expect(await product.connectNotion('mira', pick('Sprint board'), 'jonas')).toBe('/setup');
    expect(await linkOf(MIRA)).toMatchObject({
      id: before?.id,
      notify: 'on',
      notionUserId: JONAS.notionUserId,
      notionDisplayName: 'Jonas Brandt',
    });
  });

  test('as a Notion user who is linked to somebody else changes neither link', async () => {
    const { accountId } = await db().accountLink.findFirstOrThrow();
    await db().accountLink.create({ data: { accountId, ...JONAS, notionDisplayName: 'Jonas' } });
    const before = [await linkOf(MIRA), await linkOf(JONAS.discordUserId)];
    expect(await product.connectNotion('mira', pick('Sprint board'), 'jonas')).toBe('/setup');
    expect([await linkOf(MIRA), await linkOf(JONAS.discordUserId)]).toEqual(before);
  });
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

test('when Notion answers the code in an unknown shape, the exchange has failed', async () => {
  fail('oauth/token', 500, 'reshape');
  expect(await product.connectNotion('mira', pick('Sprint board'))).toBe(setupError('token_exchange_failed'));
});

test('when the people cannot be read, nothing is connected', async () => {
  fail('v1/users', 500);
  expect(await product.connectNotion('mira', pick('Sprint board'))).toBe(setupError('user_fetch_failed'));
  expect(await workspaceOf('mira')).toBeNull();
});

test('lists that name an entry twice can be stored, and read again', async () => {
  await product.control('notion', 'PATCH', '/settings', { repeatsEntries: true });
  expect(await product.connectNotion('mira', pick('Sprint board', 'Design docs'))).toBe('/setup');
  const { databases, users } = await workspaceOf('mira');
  expect(namesOf(databases)).toEqual(['Design docs', 'Sprint board']);
  expect(new Set(namesOf(users)).size).toBe(users.length);
  expect(namesOf(users)).toContain('Mira Castellan');
  const again = await product.call('mira', 'POST', '/api/app/notion/workspace/refresh');
  await product.control('notion', 'PATCH', '/settings', { repeatsEntries: false });
  expect(again).toMatchObject({ status: 200, body: { databases, users } });
});

test('a workspace whose lists cannot be stored is connected, and read again when it is shown', async () => {
  await db().$executeRaw`alter table notion_user add constraint full_up check (false) not valid`;
  expect(await product.connectNotion('mira', pick('Sprint board'))).toBe('/setup');
  await db().$executeRaw`alter table notion_user drop constraint full_up`;
  expect(namesOf((await workspaceOf('mira')).databases)).toEqual(['Sprint board']);
});

test('a connection without the right to read people works without them', async () => {
  await product.control('notion', 'PATCH', '/settings', { userInformation: 'none' });
  expect(await product.connectNotion('mira', pick('Sprint board'))).toBe('/setup');
  expect(await workspaceOf('mira')).toMatchObject({ users: [], problem: null });
  await product.control('notion', 'PATCH', '/settings', { userInformation: 'with_email' });
});

describe('when Notion names the person who authorised only by the id', () => {
  const installer = async () =>
    (await product.call('mira', 'GET', '/api/app/me')).body.user.notionDisplayName;

  beforeEach(() => product.control('notion', 'PATCH', '/settings', { partialOwner: true }));
  afterEach(async () => {
    const settings = { partialOwner: false, userInformation: 'with_email' };
    await product.control('notion', 'PATCH', '/settings', settings);
  });

  test('their name is found among the people', async () => {
    expect(await product.connectNotion('mira', [])).toBe('/setup');
    expect(await installer()).toBe('Mira Castellan');
  });

  test('they get their name once people can be read', async () => {
    await product.control('notion', 'PATCH', '/settings', { userInformation: 'none' });
    expect(await product.connectNotion('mira', [])).toBe('/setup');
    expect(await installer()).toBe('Workspace installer');
    await product.control('notion', 'PATCH', '/settings', { userInformation: 'with_email' });
    await product.call('mira', 'POST', '/api/app/notion/workspace/refresh');
    expect(await installer()).toBe('Mira Castellan');
  });
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
  await expect.poll(isActive).toBe(false);
  await product.rest();
});

describe('a token that is not kept', () => {
  const setUp = (settings: object) => product.control('notion', 'PATCH', '/settings', settings);
  beforeEach(() => setUp({ keepReplacedTokens: true }));
  afterEach(() => setUp({ keepReplacedTokens: false, returnActiveToken: false }));

  async function activeTokens(): Promise<number> {
    const list: { personId: string; activeTokens: number }[] = await product.control(
      'notion',
      'GET',
      '/authorizations',
    );
    return list.find(({ personId }) => personId.endsWith('101'))?.activeTokens ?? 0;
  }

  async function afterAllJobs(): Promise<number> {
    await product.work();
    await expect.poll(() => db().$queryRaw`select id from graphile_worker.jobs`).toEqual([]);
    await product.rest();
    return activeTokens();
  }

  const peopleByKept = async () =>
    listUsers(openNotionTokens(await db().notionWorkspace.findFirstOrThrow()).accessToken);

  test('because the people could not be read, is revoked, by a job whose payload does not show it', async () => {
    const before = await afterAllJobs();
    fail('v1/users', 500);
    await product.connectNotion('mira', pick('Sprint board'));
    expect(await activeTokens()).toBe(before + 1);
    const jobs = JSON.stringify(
      await db().$queryRaw`select * from graphile_worker._private_jobs`,
      (_, each) => (typeof each === 'bigint' ? String(each) : each),
    );
    expect(jobs).toContain('revoke-notion-token');
    const [{ botId }] = await product.control('notion', 'GET', '/authorizations');
    expect(jobs).not.toContain(botId);
    expect(jobs).not.toContain('ntn_');
    fail('oauth/revoke', 503);
    expect(await afterAllJobs()).toBe(before);
  });

  test('is revoked also when Notion refused our client secret first', async () => {
    const before = await afterAllJobs();
    const { notion } = product.sandbox.context.credentials;
    const right = notion.clientSecret;
    fail('v1/users', 500);
    await product.connectNotion('mira', pick('Sprint board'));
    notion.clientSecret = 'another';
    const attempts = async () => (await product.control('notion', 'GET', '/calls'))['POST /v1/oauth/revoke'];
    const earlier = await attempts();
    await product.work();
    await expect.poll(attempts).not.toBe(earlier);
    notion.clientSecret = right;
    expect(await afterAllJobs()).toBe(before);
  });

  test('because its account was deleted meanwhile, is revoked', async () => {
    const before = await afterAllJobs();
    const start = await startOauthFlow(product, 'notion', 'mira', '/setup');
    const { faults } = product.sandbox.context;
    faults.add({ target: 'notion', kind: 'slow', match: 'v1/users', times: 1, status: 500, delayMs: 9000 });
    const landing = comeBack(product, 'notion', await allow(start.authorize), start.cookie);
    await expect.poll(() => faults.list()[0]?.hits).toBe(1);
    expect((await product.call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
    faults.release();
    const said = 'This account was deleted. Sign in again to begin a new one.';
    expect(await landing).toBe(setupError('oauth_failed', said));
    expect(await afterAllJobs()).toBe(before);
  });

  /** Connects the workspace and makes its access token expire. Returns how many tokens are active then. */
  async function expire(): Promise<number> {
    await product.connectNotion('mira', pick('Sprint board'));
    await afterAllJobs();
    await product.control('notion', 'POST', '/authorizations/revoke', { person: 'mira', expire: true });
    return activeTokens();
  }
  const disconnect = () => product.call('mira', 'DELETE', '/api/app/notion/workspace');

  test('because the workspace was disconnected while it was being renewed, is revoked', async () => {
    const before = await expire();
    const { answers, end } = await HeldAnswers.begin();
    answers.hold(/^POST \/v1\/oauth\/token/);
    const { id: workspaceId } = await db().notionWorkspace.findFirstOrThrow();
    const reading = refreshKeptWorkspace({ workspaceId });
    await expect.poll(() => answers.isHolding).toBe(true);
    expect(await disconnect()).toMatchObject({ status: 200 });
    expect(await activeTokens()).toBe(before + 1);
    answers.release();
    await reading;
    end();
    expect(await afterAllJobs()).toBe(before);
  });

  test('because the workspace was disconnected when it had just been renewed, is revoked', async () => {
    const before = await expire();
    const workspace = await db().notionWorkspace.findFirstOrThrow();
    const { id } = workspace;
    const renewed = await refreshNotionTokens(openNotionTokens(workspace).refreshToken ?? '');
    let disconnected: ReturnType<typeof disconnect> | undefined;
    await transaction(async (tx) => {
      await tx.notionWorkspace.update({
        where: { id },
        data: { sealedTokens: sealNotionTokens(id, renewed) },
      });
      disconnected = disconnect();
      await untilBlocked(1);
    });
    expect(await disconnected).toMatchObject({ status: 200 });
    expect(await afterAllJobs()).toBe(before);
  });

  test('because a new authorization replaced it, is revoked, and the new one is not', async () => {
    await product.connectNotion('mira', pick('Sprint board'));
    const before = await afterAllJobs();
    await product.connectNotion('mira', pick('Sprint board'));
    expect(await activeTokens()).toBe(before + 1);
    expect(await afterAllJobs()).toBe(before);
    expect(await peopleByKept()).not.toEqual([]);
  });

  test('is not revoked when Notion returned the same one again and that is kept', async () => {
    await setUp({ returnActiveToken: true });
    await product.connectNotion('mira', pick('Sprint board'));
    await product.connectNotion('mira', pick('Sprint board'));
    fail('v1/users', 500);
    await product.connectNotion('mira', pick('Sprint board'));
    expect(await afterAllJobs()).toBeGreaterThan(0);
    expect(await peopleByKept()).not.toEqual([]);
  });
});

test('deleting the account deletes all of its rows and no others', async () => {
  await product.connectNotion('mira', pick('Sprint board'));
  await product.connectNotion('vera', pick('Night market'));
  expect(await product.call('mira', 'DELETE', '/api/app/account')).toMatchObject({ status: 200 });
  expect(await db().notionWorkspace.findMany({ select: { name: true } })).toEqual([{ name: 'Moth & Flame' }]);
  expect(await db().account.count()).toBe(1);
  expect(await db().accountLink.count()).toBe(1);
});
