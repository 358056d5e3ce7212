import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { comeBack, setupError, startOauthFlow } from '@/lib/testing/oauth-flows';
import { TestProduct } from '@/lib/testing/product';
import { MINUTE_MS } from '@/lib/time';

const CONNECTED = '/setup?discord=connected';
let product: TestProduct;
let guilds: Record<string, string>;

beforeAll(async () => {
  product = await TestProduct.start();
});
afterAll(() => product.stop());
beforeEach(async () => {
  await product.rest();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await db().account.deleteMany();
  // Otherwise a sign-in in the same second as the deletion of an account counts as an older one.
  await db().trial.deleteMany();
  const response = await fetch(`${product.sandbox.context.urls.discord}/_sandbox/reset`, { method: 'POST' });
  expect(response.ok).toBe(true);
  await product.control('discord', 'PUT', '/limits', { limits: 'off' });
  const list: { id: string; name: string }[] = await product.control('discord', 'GET', '/guilds');
  guilds = Object.fromEntries(list.map(({ id, name }) => [name, id]));
});

const idOf = (name: string) => guilds[name] ?? '';
const serverOf = async (key: 'mira' | 'jonas' | 'vera') =>
  (await product.call(key, 'GET', '/api/app/discord/server')).body;
const hasBot = async (name: string) => {
  const list: { name: string; hasBot: boolean }[] = await product.control('discord', 'GET', '/guilds');
  return list.find((guild) => guild.name === name)?.hasBot;
};

test('installing connects the server with its channels as the bot sees them', async () => {
  expect(await product.installBot('mira', idOf('Lantern Works'))).toBe(CONNECTED);
  const server = await serverOf('mira');
  expect(server).toMatchObject({ name: 'Lantern Works', guildId: idOf('Lantern Works'), problem: null });
  const channels: [string, string | null, boolean][] = server.channels.map(
    (channel: { name: string; category: string; botHasAccess: boolean }) => [
      channel.name,
      channel.category,
      channel.botHasAccess,
    ],
  );
  expect(channels).toEqual([
    ['announcements', 'General', false],
    ['general', 'General', true],
    ['watercooler', 'General', false],
    ['build-log', 'Production', true],
    ['bugs', 'Production', true],
    ['tasks', 'Production', true],
    ['art-review', 'Production', true],
    ['ideas', 'Production', true],
  ]);
});

test('Discord is asked for exactly the scopes and permissions that the bot needs', async () => {
  const { authorize } = await startOauthFlow(product, 'discord', 'mira');
  expect(authorize.searchParams.get('scope')).toBe('bot applications.commands identify');
  const names = [10n, 11n, 14n, 16n, 35n, 38n].reduce((bits, bit) => bits | (1n << bit), 0n);
  expect(authorize.searchParams.get('permissions')).toBe(String(names));
});

test('installing again in the same server only updates its channels', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  const before = await serverOf('mira');
  await product.control('discord', 'PATCH', `/guilds/${idOf('Lantern Works')}`, {
    name: 'Lantern Works GmbH',
  });
  expect(await product.installBot('mira', idOf('Lantern Works'))).toBe(CONNECTED);
  expect(await serverOf('mira')).toEqual({
    ...before,
    checkedAt: expect.any(String),
    name: 'Lantern Works GmbH',
  });
  expect(await db().auditEntry.count({ where: { action: 'server.connected' } })).toBe(1);
});

test('a second server is refused, and the bot does not stay there', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  expect(await product.installBot('mira', idOf('Lantern Playtest'))).toBe(
    setupError(
      'oauth_failed',
      'Your plan has one server, and Lantern Works is connected. Disconnect it first.',
    ),
  );
  expect(await serverOf('mira')).toMatchObject({ name: 'Lantern Works' });
  await product.work();
  await expect.poll(() => hasBot('Lantern Playtest')).toBe(false);
  expect(await hasBot('Lantern Works')).toBe(true);
});

test('installing in a server of another account does not take it over, and the bot stays there', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  expect(await product.installBot('jonas', idOf('Lantern Works'))).toBe(
    setupError('oauth_failed', 'That server is already connected to another Pagewire account.'),
  );
  expect(await serverOf('jonas')).toBeNull();
  expect(await serverOf('mira')).toMatchObject({ name: 'Lantern Works', problem: null });
  expect(await hasBot('Lantern Works')).toBe(true);
});

test('when two accounts install in one server at the same time, one of them gets it', async () => {
  const landed = await Promise.all([
    product.installBot('mira', idOf('Lantern Works')),
    product.installBot('jonas', idOf('Lantern Works')),
  ]);
  expect(landed.filter((path) => path === CONNECTED)).toHaveLength(1);
  expect(await db().discordServer.count()).toBe(1);
  expect(await hasBot('Lantern Works')).toBe(true);
});

test('the person who installs must be the Discord user who is signed in', async () => {
  expect(await product.installBot('vera', idOf('Lantern Playtest'), 'mira')).toBe(
    setupError('oauth_failed', 'Install the bot with the Discord account that you signed in with.'),
  );
  expect(await serverOf('vera')).toBeNull();
  await product.work();
  await expect.poll(() => hasBot('Lantern Playtest')).toBe(false);
});

test('somebody else cannot make the bot leave a connected server', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  await product.installBot('vera', idOf('Lantern Works'), 'mira');
  await product.work();
  await expect.poll(() => db().$queryRaw`select from graphile_worker.jobs`).toHaveLength(0);
  expect(await hasBot('Lantern Works')).toBe(true);
});

/**
 * Authorizes at Discord without following the redirect. Returns the query with which Discord sends the browser back.
 */
async function authorize(start: { authorize: URL }, guildId: string): Promise<Record<string, string>> {
  const form = new URLSearchParams({ person: 'mira', decision: 'authorize', guild_id: guildId });
  const granted = await fetch(start.authorize, { method: 'POST', body: form, redirect: 'manual' });
  return Object.fromEntries(new URL(granted.headers.get('location') ?? '').searchParams);
}

test('the server that Discord names is connected, not the one in the address', async () => {
  const start = await startOauthFlow(product, 'discord', 'mira');
  const query = await authorize(start, idOf('Lantern Playtest'));
  expect(query['guild_id']).toBe(idOf('Lantern Playtest'));
  const edited = { ...query, guild_id: idOf('Moth & Flame') };
  expect(await comeBack(product, 'discord', edited, start.cookie)).toBe(CONNECTED);
  expect(await serverOf('mira')).toMatchObject({ name: 'Lantern Playtest' });
});

test('the bot does not stay in a server whose account was deleted while it was being connected', async () => {
  const start = await startOauthFlow(product, 'discord', 'mira');
  const query = await authorize(start, idOf('Lantern Works'));
  const { faults } = product.sandbox.context;
  faults.add({ target: 'discord', kind: 'slow', match: 'oauth2/@me', times: 1, status: 500, delayMs: 9000 });
  const landing = comeBack(product, 'discord', query, start.cookie);
  await expect.poll(() => faults.list()[0]?.hits).toBe(1);
  expect((await product.call('mira', 'DELETE', '/api/app/account')).status).toBe(200);
  faults.release();
  const said = 'This account was deleted. Sign in again to begin a new one.';
  expect(await landing).toBe(setupError('oauth_failed', said));
  expect(await hasBot('Lantern Works')).toBe(true);
  await product.work();
  await expect.poll(() => hasBot('Lantern Works')).toBe(false);
  expect(await db().account.count()).toBe(0);
});

test.each([
  ['refuses the code', { kind: 'fail', match: 'oauth2/token', status: 400 }],
  ['has a problem', { kind: 'fail', match: 'oauth2/token', status: 503 }],
  ['hangs up', { kind: 'hangup', match: 'oauth2/token' }],
  ['does not say who installed', { kind: 'fail', match: 'oauth2/@me', status: 401 }],
])('when Discord %s, the exchange has failed and nothing is connected', async (_, fault) => {
  product.sandbox.context.faults.add({
    target: 'discord',
    times: 1,
    status: 500,
    delayMs: 0,
    ...fault,
  } as never);
  expect(await product.installBot('mira', idOf('Lantern Works'))).toBe(setupError('token_exchange_failed'));
  expect(await serverOf('mira')).toBeNull();
});

test('an install is not undone when Discord does not list the channels at once', async () => {
  product.sandbox.context.faults.add({
    target: 'discord',
    kind: 'fail',
    match: '/channels$',
    times: 1,
    status: 503,
    delayMs: 0,
  });
  expect(await product.installBot('mira', idOf('Lantern Works'))).toBe(CONNECTED);
  expect((await serverOf('mira')).channels).not.toHaveLength(0);
});

test('the channels are known even if Discord refuses to list the threads', async () => {
  const refused = {
    kind: 'fail',
    match: 'threads/active',
    times: 0,
    status: 404,
    code: 0,
    delayMs: 0,
  } as const;
  product.sandbox.context.faults.add({ target: 'discord', ...refused });
  expect(await product.installBot('mira', idOf('Lantern Works'))).toBe(CONNECTED);
  const server = await serverOf('mira');
  expect(server.problem).toBeNull();
  expect(server.channels.map(({ name }: { name: string }) => name)).toContain('tasks');
});

test('disconnecting deletes the server and removes the bot; the server can be connected again', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  expect(await product.call('mira', 'DELETE', '/api/app/discord/server')).toMatchObject({ status: 200 });
  expect(await serverOf('mira')).toBeNull();
  await product.work();
  await expect.poll(() => hasBot('Lantern Works')).toBe(false);
  expect(await product.installBot('jonas', idOf('Lantern Works'))).toBe(CONNECTED);
});

test('a server that is connected anew posts at once in a channel that refused cards of its former account', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  const { channels } = await serverOf('mira');
  const channelId = channels.find(({ name }: { name: string }) => name === 'tasks').id;
  await db().channelProblem.create({ data: { channelId, reason: 'The bot may not send messages there.' } });
  const blockedUntil = new Date(Date.now() + MINUTE_MS);
  await db().rateLimit.create({ data: { key: `discord:refused:${channelId}`, blockedUntil } });
  await product.call('mira', 'DELETE', '/api/app/discord/server');
  await product.installBot('jonas', idOf('Lantern Works'));
  expect(await db().channelProblem.count()).toBe(0);
});

test('the removal of the bot shows as a problem of the server', async () => {
  await product.installBot('mira', idOf('Lantern Works'));
  await product.control('discord', 'DELETE', `/guilds/${idOf('Lantern Works')}/bot`);
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  const server = await serverOf('mira');
  expect(server.problem).toBe('The bot is no longer in this server. Connect the server again.');
  expect(server.channels.every((channel: { botHasAccess: boolean }) => !channel.botHasAccess)).toBe(true);
});
