import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import type { Server } from '../servers/schema';
import type { Workspace } from '../workspaces/schema';

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(() => pipeline.clear());

const product = () => pipeline.story.product;
const call = (method: string, path: string) => product().call('mira', method, `/api/app/${path}`);
const refreshServer = () => call('POST', 'discord/server/refresh');
const refreshWorkspace = () => call('POST', 'notion/workspace/refresh');
const channelNamed = (server: Server, name: string) => server.channels.find((each) => each.name === name);
const fault = (target: 'discord' | 'notion', match: string) =>
  product().sandbox.context.faults.add({ target, match, kind: 'fail', status: 500, times: 0, delayMs: 0 });

test('a workspace of which a search returns only parts keeps its databases and their names', async () => {
  const whole: Workspace = (await refreshWorkspace()).body;
  await product().control('notion', 'PATCH', '/settings', { partialSearch: true });
  const again: Workspace = (await refreshWorkspace()).body;
  await product().control('notion', 'PATCH', '/settings', { partialSearch: false });
  expect(whole.databases.length).toBeGreaterThan(0);
  expect(again.databases).toEqual(whole.databases);
});

const ahead = () => new Date(Date.now() + 3_600_000);

describe('after the clock was set back by an hour', () => {
  test('the server is read when it is shown', async () => {
    const { id } = pipeline.story.guild;
    await db().discordServer.updateMany({ data: { channelsCheckedAt: ahead() } });
    await product().control('discord', 'PATCH', `/guilds/${id}`, { name: 'Lantern & Co' });
    expect((await call('GET', 'discord/server')).body.name).toBe('Lantern & Co');
    await product().control('discord', 'PATCH', `/guilds/${id}`, { name: 'Lantern Works' });
  });

  test('the workspace is read when it is shown', async () => {
    await db().notionWorkspace.updateMany({ data: { catalogCheckedAt: ahead(), catalogAskedAt: ahead() } });
    await db().notionDatabase.updateMany({ data: { name: 'Out of date' } });
    const { body } = await call('GET', 'notion/workspace');
    expect((body as Workspace).databases.map(({ name }) => name)).not.toContain('Out of date');
  });
});

describe('the server, looked at again', () => {
  test('is read from Discord at once, and says when', async () => {
    const before: Server = (await refreshServer()).body;
    await product().control('discord', 'PATCH', `/guilds/${pipeline.story.guild.id}`, {
      name: 'Lantern & Co',
    });
    const { status, body } = await refreshServer();
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Lantern & Co' });
    expect(Date.parse(body.checkedAt)).toBeGreaterThan(Date.parse(before.checkedAt ?? ''));
    expect(body.iconUrl).toMatch(new RegExp(`/icons/${pipeline.story.guild.id}/[0-9a-f]{32}\\.png`));
    expect((await fetch(body.iconUrl)).status).toBe(200);
    await product().control('discord', 'PATCH', `/guilds/${pipeline.story.guild.id}`, {
      name: 'Lantern Works',
    });
  });

  test('gives its rules the present names of their channels, and nobody else’s', async () => {
    const rule = await pipeline.rule();
    const id = pipeline.story.channel('tasks');
    await product().control('discord', 'PATCH', `/channels/${id}`, { name: 'to-do' });
    await refreshServer();
    const { body } = await call('GET', 'rules');
    expect(body).toMatchObject([{ id: rule.id, channelId: id, channelName: 'to-do' }]);
    await product().control('discord', 'PATCH', `/channels/${id}`, { name: 'tasks' });
    await refreshServer();
  });

  test('has no channel for a rule to people', async () => {
    const before: Server = (await refreshServer()).body;
    await pipeline.rule({
      channelId: null,
      destination: { kind: 'person', discordUserId: '208917000000000101' },
    });
    expect((await call('GET', 'discord/server')).body.channels).toEqual(before.channels);
  });

  test('marks a channel that only rules still know', async () => {
    const { id } = await product().control('discord', 'POST', `/guilds/${pipeline.story.guild.id}/channels`, {
      name: 'short-lived',
    });
    await refreshServer();
    await pipeline.rule({ channelId: id });
    expect(channelNamed((await refreshServer()).body, 'short-lived')).toMatchObject({ isGone: false });
    await product().control('discord', 'DELETE', `/channels/${id}`);
    const { body } = await refreshServer();
    expect(channelNamed(body, 'short-lived')).toMatchObject({ isGone: true, botHasAccess: false });
    expect(channelNamed(body, 'tasks')).toMatchObject({ isGone: false });
  });

  test('says so when Discord does not answer', async () => {
    fault('discord', '^GET /api/v10/guilds/');
    expect(await refreshServer()).toMatchObject({
      status: 502,
      body: { error: 'Discord does not answer. Try again in a minute.' },
    });
    expect((await call('GET', 'discord/server')).body).toMatchObject({ checkedAt: null });
  });
});

describe('the workspace, looked at again', () => {
  test('is read from Notion at once, and says when', async () => {
    const before: Workspace = (await refreshWorkspace()).body;
    expect(before.icon).toBe('🏮');
    await db().notionDatabase.updateMany({ data: { name: 'Out of date' } });
    const { status, body } = await refreshWorkspace();
    expect(status).toBe(200);
    expect((body as Workspace).databases.map(({ name }) => name)).not.toContain('Out of date');
    expect(Date.parse(body.checkedAt)).toBeGreaterThan(Date.parse(before.checkedAt ?? ''));
  });

  test('says so when Notion does not answer', async () => {
    fault('notion', '/v1/search');
    expect(await refreshWorkspace()).toMatchObject({
      status: 502,
      body: { error: 'Notion does not answer. Try again in a minute.' },
    });
  });

  test('lists what has the same name always in the same order', async () => {
    fault('notion', '/v1/');
    await db().notionDatabase.updateMany({ data: { name: 'Tasks' } });
    await db().notionUser.updateMany({ data: { name: 'Unnamed person' } });
    const order = async () => {
      const { databases, users }: Workspace = (await call('GET', 'notion/workspace')).body;
      return [databases, users].map((list) => list.map(({ id }) => id));
    };
    const [databases = [], users = []] = await order();
    expect([databases.length, users.length].every((length) => length > 1)).toBe(true);
    // As a reading of Notion does: a row that changes moves to the end of its table.
    const icon = '🗂️';
    const [database = '', user = ''] = [databases, users].map(([id]) => id);
    await db().notionDatabase.updateMany({ where: { id: database }, data: { icon } });
    await db().notionUser.updateMany({ where: { id: user }, data: { avatarUrl: icon } });
    // PostgreSQL then knows how small the tables are, and reads them from end to end.
    await db().$executeRaw`analyze notion_database, notion_user`;
    expect(await order()).toEqual([databases, users]);
    product().sandbox.context.faults.clear();
    await refreshWorkspace();
  });

  test('says when Notion last answered, and does not ask with every look while it fails', async () => {
    const { faults } = product().sandbox.context;
    const keep = (asked: Date) => db().notionWorkspace.updateMany({ data: { catalogAskedAt: asked } });
    const lookedAt = async () => (await call('GET', 'notion/workspace')).body.checkedAt;
    const answered = new Date(Date.now() - 60_000);
    await db().notionWorkspace.updateMany({ data: { catalogCheckedAt: answered } });
    await keep(new Date(0));
    fault('notion', '/v1/search');
    expect(await lookedAt()).toBe(answered.toISOString());
    const asked = faults.list()[0]?.hits;

    await keep(new Date());
    expect(await lookedAt()).toBe(answered.toISOString());
    expect(faults.list()[0]?.hits).toBe(asked);
    expect(asked).toBeGreaterThan(0);

    faults.clear();
    await keep(new Date(0));
    expect(Date.parse(await lookedAt())).toBeGreaterThan(answered.getTime());
  });
});

test.each([
  ['discord/server/refresh', 'No Discord server is connected.'],
  ['notion/workspace/refresh', 'No Notion workspace is connected.'],
])('%s without a connection says so', async (path, error) => {
  const answer = await product().call('vera', 'POST', `/api/app/${path}`);
  expect(answer.body).toEqual({ error, code: 'not_connected' });
  expect((await product().call(null, 'POST', `/api/app/${path}`)).status).toBe(401);
});
