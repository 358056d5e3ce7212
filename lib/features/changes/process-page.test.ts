import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Line } from '@/lib/testing/line';
import { startConnectedProduct } from '@/lib/testing/product';
import { openNotionTokens } from '../connections/notion-access';

const GOLEM = 'Boss fight: ember golem';
const ASH = 'Ash storm weather effect';
let line: Line;

beforeAll(async () => {
  line = new Line(await startConnectedProduct());
  await line.story.product.work();
});
afterAll(() => line.story.product.stop());
beforeEach(async () => {
  await line.idle();
  await line.clear();
});

const control = (method: string, path: string, body?: unknown) =>
  line.story.product.control('notion', method, path, body);

const prepare = (page: string, properties: Record<string, unknown>) => line.prepare(page, properties);

test('several rules for one page cost one call of Notion, and each posts its card', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  for (const name of ['tasks', 'bugs', 'art-review'])
    await line.rule({ channelId: line.story.channel(name) });
  const { payload } = await line.edit(GOLEM, { Status: 'In review' });
  await line.idle();
  for (const name of ['tasks', 'bugs', 'art-review']) {
    expect(await line.lines(name)).toEqual([`${GOLEM}: Status: Backlog → In review`]);
  }
  expect(await line.fetches(payload.entity.id)).toBe(1);
});

test('a page that no rule is about is not read', async () => {
  await line.rule({ databaseId: line.story.docs.dataSourceId, watchedProperties: ['title'] });
  const { payload } = await line.edit(GOLEM, { Status: 'Done' });
  await line.idle();
  expect(await line.outcomes()).toEqual(['no_rules']);
  expect(await line.fetches(payload.entity.id)).toBe(0);
});

test('a rule that is switched off posts nothing, and knows the old value when it is on again', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  const { id } = await line.rule();
  const turn = (enabled: boolean) =>
    line.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { enabled });
  await turn(false);
  await line.edit(GOLEM, { Status: 'In review' });
  await line.idle();
  await turn(true);
  await line.edit(GOLEM, { Status: 'Done' });
  await line.idle();
  expect(await line.lines()).toEqual([`${GOLEM}: Status: In review → Done`]);
});

test('the status filter lets only its own statuses through', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  await line.rule({ statusTo: ['Done', 'Cut'] });
  for (const status of ['In progress', 'Done', 'In review', 'Cut']) {
    await line.edit(GOLEM, { Status: status });
    await line.idle();
  }
  expect(await line.lines()).toEqual([
    `${GOLEM}: Status: In progress → Done`,
    `${GOLEM}: Status: In review → Cut`,
  ]);
  expect(await line.outcomes()).toEqual(['filtered_by_status', 'posted', 'filtered_by_status', 'posted']);
});

test('a change that was undone within one window posts no card', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  await line.rule();
  await control('PATCH', '/settings', { aggregationMs: 300 });
  await line.told(async () => {
    await control('PATCH', '/rows', { page: GOLEM, properties: { Status: 'Done' } });
    await control('PATCH', '/rows', { page: GOLEM, properties: { Status: 'Backlog' } });
  });
  await control('PATCH', '/settings', { aggregationMs: 20 });
  await line.idle();
  expect(await line.outcomes()).toEqual(['unchanged']);
  expect(await line.cards()).toEqual([]);
});

test('a change of something that is not watched posts no card, and the page is not read', async () => {
  await line.rule();
  const { payload } = await line.edit(GOLEM, { Estimate: 13 });
  await line.idle();
  expect(await line.outcomes()).toEqual(['property_not_watched']);
  expect(await line.fetches(payload.entity.id)).toBe(0);
});

test.each(['properties', 'content'])(
  'a change of a watched title counts when Notion reports it as %s',
  async (titleEvents) => {
    await control('PATCH', '/settings', { titleEvents });
    await line.rule({ watchedProperties: ['Name'] });
    await line.edit(ASH, { Name: 'Ash storm' });
    await line.idle();
    await prepare('Ash storm', { Name: ASH });
    await control('PATCH', '/settings', { titleEvents: 'properties' });
    expect((await line.lines())[0]).toBe(`Ash storm: Name: ${ASH} → Ash storm`);
  },
);

test('an emptied value reads as empty', async () => {
  await prepare(GOLEM, { Priority: 'High' });
  await line.rule({ watchedProperties: ['Priority'] });
  await line.edit(GOLEM, { Priority: null });
  await line.idle();
  expect(await line.lines()).toEqual([`${GOLEM}: Priority: High → empty`]);
});

test('a new page posts one card for the rule for new pages, and none for the rule for changes', async () => {
  await line.rule({ eventType: 'page_created', channelId: line.story.channel('bugs') });
  await line.rule();
  await line.told(() =>
    control('POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: 'Lava level', Status: 'Backlog' },
    }),
  );
  await line.settle();
  const [card, ...more] = await line.cards('bugs');
  expect(more).toEqual([]);
  expect(card.content).toBe('Mira Castellan created Lava level');
  expect(await line.cards()).toEqual([]);
});

test('a list of which Notion returns only the beginning is compared in full', async () => {
  const docs = Array.from({ length: 31 }, (_, nr) => `Long list ${nr}`);
  for (const Name of docs)
    await control('POST', '/rows', { database: 'Design docs', properties: { Title: Name } });
  await prepare(GOLEM, { 'Design docs': docs.slice(0, 2) });
  await line.rule({ watchedProperties: ['Design docs'] });
  await line.edit(GOLEM, { 'Design docs': docs.slice(0, 30) });
  await line.idle();
  await line.edit(GOLEM, { 'Design docs': docs });
  await line.idle();
  expect(await line.lines()).toEqual([
    `${GOLEM}: Design docs: 2 linked pages → 30 linked pages`,
    `${GOLEM}: Design docs: 30 linked pages → 31 linked pages`,
  ]);
});

describe('a change that our own bot made', () => {
  async function writeAsBot(status: string) {
    const { accessToken } = openNotionTokens(await db().notionWorkspace.findFirstOrThrow());
    const pageId = await line.pageId(GOLEM);
    const response = await fetch(`${line.story.product.sandbox.context.urls.notion}/v1/pages/${pageId}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${accessToken}`,
        'notion-version': '2026-03-11',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ properties: { Status: { status: { name: status } } } }),
    });
    expect(response.status).toBe(200);
  }

  test('is not echoed, and is the old value of the next one', async () => {
    await prepare(GOLEM, { Status: 'Backlog' });
    await line.rule();
    await line.told(() => writeAsBot('In review'));
    await line.idle();
    expect(await line.outcomes()).toEqual(['own_change']);
    await line.edit(GOLEM, { Status: 'Done' });
    await line.idle();
    expect(await line.lines()).toEqual([`${GOLEM}: Status: In review → Done`]);
  });
});

describe('a page that cannot be read', () => {
  test('because it was put into the trash posts no card', async () => {
    await line.rule();
    await line.told(() => control('POST', '/rows/trash', { page: GOLEM }));
    await line.idle();
    expect(await line.outcomes()).toEqual(['page_trashed']);
    await line.told(() => control('POST', '/rows/restore', { page: GOLEM }));
    await line.idle();
    expect(await line.cards()).toEqual([]);
  });

  test('because it is gone or not shared posts no card', async () => {
    await line.rule();
    await line.send({ pageId: randomUUID() });
    await line.idle();
    expect(await line.outcomes()).toEqual(['page_gone']);
  });

  test('because it vanishes while it is being read posts no card', async () => {
    const docs = Array.from({ length: 26 }, (_, nr) => `Vanishing list ${nr}`);
    for (const Title of docs)
      await control('POST', '/rows', { database: 'Design docs', properties: { Title } });
    await line.rule({ watchedProperties: ['Design docs'] });
    line.fault({ target: 'notion', match: 'GET /v1/pages/.*/properties/', kind: 'fail', status: 404 });
    await line.edit(GOLEM, { 'Design docs': docs });
    await line.idle();
    expect(await line.outcomes()).toContain('page_gone');
    expect(await line.cards()).toEqual([]);
    expect(await db().decision.findMany()).toMatchObject([{ outcome: 'page_gone' }]);
    expect(await db().message.count()).toBe(0);
  });

  test.each([
    ['answers 500', { kind: 'fail', status: 500 }],
    ['answers 429', { kind: 'fail', status: 429 }],
    ['answers 529', { kind: 'fail', status: 529 }],
    ['hangs up', { kind: 'hangup' }],
    ['is slow', { kind: 'slow', delayMs: 300 }],
  ] as const)('because Notion %s is a card a little later', async (_, fault) => {
    await prepare(GOLEM, { Status: 'Backlog' });
    await line.rule();
    line.fault({ target: 'notion', match: 'GET /v1/pages/', ...fault });
    await line.edit(GOLEM, { Status: 'Done' });
    await line.idle();
    expect(await line.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });
});

describe('the access token of Notion', () => {
  const revoke = (expire: boolean) => control('POST', '/authorizations/revoke', { person: 'mira', expire });

  test('is refreshed once when many jobs find it expired, and every card comes', async () => {
    const rows: { title: string }[] = await control('GET', '/rows?database=Sprint%20board');
    const titles = rows
      .map(({ title }) => title)
      .filter((title) => title !== 'Lava level')
      .slice(0, 6);
    for (const title of titles) await line.edit(title, { Status: 'Backlog' });
    await line.idle();
    await line.rule();
    await line.story.product.rest();
    for (const title of titles) await line.edit(title, { Status: 'Cut' });
    await revoke(true);
    await control('DELETE', '/calls');
    await line.story.product.work();
    await line.idle();
    expect((await line.lines()).sort()).toEqual(
      titles.map((title) => `${title}: Status: Backlog → Cut`).sort(),
    );
    expect((await control('GET', '/calls'))['POST /v1/oauth/token']).toBe(1);
  });

  test('that was revoked shows as a problem, and connecting again fixes it', async () => {
    await line.prepare(GOLEM, { Status: 'Backlog' });
    await line.rule();
    await revoke(false);
    await line.send({ pageId: await line.pageId(GOLEM) });
    await line.idle();
    const workspace = async () =>
      (await line.story.product.call('mira', 'GET', '/api/app/notion/workspace')).body;
    expect((await workspace()).problem).toBe(
      'Notion no longer accepts this connection. Connect the workspace again.',
    );
    await line.story.product.connectNotion('mira', [line.story.board.id, line.story.docs.id]);
    expect((await workspace()).problem).toBeNull();
    await line.edit(GOLEM, { Status: 'Done' });
    await line.idle();
    expect(await line.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });
});
