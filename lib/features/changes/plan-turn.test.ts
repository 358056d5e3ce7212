import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { reasonText } from '../deliveries/reasons';
import { openNotionTokens } from '../workspaces/notion-tokens';

const GOLEM = 'Boss fight: ember golem';
const ASH = 'Ash storm weather effect';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('notion', method, path, body);

const prepare = (page: string, properties: Record<string, unknown>) => pipeline.prepare(page, properties);

test('several rules for one page cost one call of Notion, and each posts its card', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  for (const name of ['tasks', 'bugs', 'art-review'])
    await pipeline.rule({ channelId: pipeline.story.channel(name) });
  const { payload } = await pipeline.edit(GOLEM, { Status: 'In review' });
  await pipeline.idle();
  for (const name of ['tasks', 'bugs', 'art-review']) {
    expect(await pipeline.lines(name)).toEqual([`${GOLEM}: Status: Backlog → In review`]);
  }
  expect(await pipeline.fetches(payload.entity.id)).toBe(1);
});

test('a page that no rule is about is not read', async () => {
  await pipeline.rule({ databaseId: pipeline.story.docs.dataSourceId, watchedProperties: ['title'] });
  const { payload } = await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.outcomes()).toEqual(['no_rules']);
  expect(await pipeline.fetches(payload.entity.id)).toBe(0);
});

test('a rule that is switched off posts nothing, and knows the old value when it is on again', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  const { id } = await pipeline.rule();
  const turn = (enabled: boolean) =>
    pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { enabled });
  await turn(false);
  await pipeline.edit(GOLEM, { Status: 'In review' });
  await pipeline.idle();
  await turn(true);
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: In review → Done`]);
});

test('the status filter lets only its own statuses through', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule({ statusTo: ['Done', 'Cut'] });
  for (const status of ['In progress', 'Done', 'In review', 'Cut']) {
    await pipeline.edit(GOLEM, { Status: status });
    await pipeline.idle();
  }
  expect(await pipeline.lines()).toEqual([
    `${GOLEM}: Status: In progress → Done`,
    `${GOLEM}: Status: In review → Cut`,
  ]);
  expect(await pipeline.outcomes()).toEqual(['filtered_by_status', 'posted', 'filtered_by_status', 'posted']);
});

test('a change that was undone within one window posts no card', async () => {
  await prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await control('PATCH', '/settings', { aggregationMs: 300 });
  await pipeline.told(async () => {
    await control('PATCH', '/rows', { page: GOLEM, properties: { Status: 'Done' } });
    await control('PATCH', '/rows', { page: GOLEM, properties: { Status: 'Backlog' } });
  });
  await control('PATCH', '/settings', { aggregationMs: 20 });
  await pipeline.idle();
  expect(await pipeline.outcomes()).toEqual(['unchanged']);
  expect(await pipeline.cards()).toEqual([]);
});

test('a change of something that is not watched posts no card, and the page is not read', async () => {
  await pipeline.rule();
  const { payload } = await pipeline.edit(GOLEM, { Estimate: 13 });
  await pipeline.idle();
  expect(await pipeline.outcomes()).toEqual(['property_not_watched']);
  expect(await pipeline.fetches(payload.entity.id)).toBe(0);
});

test.each(['properties', 'content'])(
  'a change of a watched title counts when Notion reports it as %s',
  async (titleEvents) => {
    await control('PATCH', '/settings', { titleEvents });
    await pipeline.rule({ watchedProperties: ['Name'] });
    await pipeline.edit(ASH, { Name: 'Ash storm' });
    await pipeline.idle();
    await prepare('Ash storm', { Name: ASH });
    await control('PATCH', '/settings', { titleEvents: 'properties' });
    expect((await pipeline.lines())[0]).toBe(`Ash storm: Name: ${ASH} → Ash storm`);
  },
);

test('an emptied value reads as empty', async () => {
  await prepare(GOLEM, { Priority: 'High' });
  await pipeline.rule({ watchedProperties: ['Priority'] });
  await pipeline.edit(GOLEM, { Priority: null });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Priority: High → empty`]);
});

test('a new page posts one card for the rule for new pages, and none for the rule for changes', async () => {
  await pipeline.rule({ eventType: 'page_created', channelId: pipeline.story.channel('bugs') });
  await pipeline.rule();
  await pipeline.told(() =>
    control('POST', '/rows', {
      database: 'Sprint board',
      properties: { Name: 'Lava level', Status: 'Backlog' },
    }),
  );
  await pipeline.settle();
  const [card, ...more] = await pipeline.cards('bugs');
  expect(more).toEqual([]);
  expect(card.content).toBe('Mira Castellan created Lava level');
  expect(await pipeline.cards()).toEqual([]);
});

test('a list of which Notion returns only the beginning is compared in full', async () => {
  const docs = Array.from({ length: 31 }, (_, nr) => `Long list ${nr}`);
  for (const Name of docs)
    await control('POST', '/rows', { database: 'Design docs', properties: { Title: Name } });
  await prepare(GOLEM, { 'Design docs': docs.slice(0, 2) });
  await pipeline.rule({ watchedProperties: ['Design docs'] });
  await pipeline.edit(GOLEM, { 'Design docs': docs.slice(0, 30) });
  await pipeline.idle();
  await pipeline.edit(GOLEM, { 'Design docs': docs });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([
    `${GOLEM}: Design docs: 2 linked pages → 30 linked pages`,
    `${GOLEM}: Design docs: 30 linked pages → 31 linked pages`,
  ]);
});

describe('a change that our own bot made', () => {
  async function writeAsBot(status: string) {
    const { accessToken } = openNotionTokens(await db().notionWorkspace.findFirstOrThrow());
    const pageId = await pipeline.pageId(GOLEM);
    const response = await fetch(`${pipeline.story.product.sandbox.context.urls.notion}/v1/pages/${pageId}`, {
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
    await pipeline.rule();
    await pipeline.told(() => writeAsBot('In review'));
    await pipeline.idle();
    expect(await pipeline.outcomes()).toEqual(['own_change']);
    expect(reasonText({ state: 'skipped', reasonCode: 'own_change', reason: null, triedAt: null })).toContain(
      'or without being asked in Discord',
    );
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: In review → Done`]);
  });
});

describe('a page that cannot be read', () => {
  test('because it was put into the trash posts no card', async () => {
    await pipeline.rule();
    await pipeline.told(() => control('POST', '/rows/trash', { page: GOLEM }));
    await pipeline.idle();
    expect(await pipeline.outcomes()).toEqual(['page_trashed']);
    await pipeline.told(() => control('POST', '/rows/restore', { page: GOLEM }));
    await pipeline.idle();
    expect(await pipeline.cards()).toEqual([]);
  });

  test('because it is gone or not shared posts no card', async () => {
    await pipeline.rule();
    await pipeline.send({ pageId: randomUUID() });
    await pipeline.idle();
    expect(await pipeline.outcomes()).toEqual(['page_gone']);
  });

  test('where its event happened, because it was moved to another database, is in the log with this reason', async () => {
    const titles = { databaseId: pipeline.story.docs.dataSourceId, watchedProperties: ['title'] };
    const { id } = await pipeline.rule(titles);
    const off = await pipeline.rule(titles);
    await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${off.id}`, { enabled: false });
    const { dataSourceId } = pipeline.story.docs;
    await pipeline.send({ pageId: await pipeline.pageId(GOLEM), dataSourceId });
    await pipeline.idle();
    expect(await pipeline.outcomes()).toEqual(['page_moved']);
    const log = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${id}/deliveries`);
    expect(log.body.deliveries).toMatchObject([
      {
        title: GOLEM,
        state: 'skipped',
        reason: 'The page was moved out of the database before it was read.',
      },
    ]);
    expect(await db().decision.findMany({ where: { ruleId: off.id } })).toMatchObject([
      { outcome: 'rule_off' },
    ]);
    expect(await pipeline.cards()).toEqual([]);
  });

  test('where its event happened, because it was moved elsewhere and is in the trash there, is in that log', async () => {
    const { dataSourceId } = pipeline.story.docs;
    const { id } = await pipeline.rule({ databaseId: dataSourceId, watchedProperties: ['title'] });
    await pipeline.told(() => control('POST', '/rows/trash', { page: GOLEM }));
    await pipeline.send({ pageId: await pipeline.pageId(GOLEM), dataSourceId });
    await pipeline.idle();
    const decisions = await db().decision.findMany({ where: { ruleId: id } });
    await pipeline.told(() => control('POST', '/rows/restore', { page: GOLEM }));
    expect(decisions).toMatchObject([{ outcome: 'page_moved' }]);
  });

  test('because it vanishes while it is being read posts no card', async () => {
    const docs = Array.from({ length: 26 }, (_, nr) => `Vanishing list ${nr}`);
    for (const Title of docs)
      await control('POST', '/rows', { database: 'Design docs', properties: { Title } });
    await pipeline.rule({ watchedProperties: ['Design docs'] });
    pipeline.fault({ target: 'notion', match: 'GET /v1/pages/.*/properties/', kind: 'fail', status: 404 });
    await pipeline.edit(GOLEM, { 'Design docs': docs });
    await pipeline.idle();
    expect(await pipeline.outcomes()).toContain('page_gone');
    expect(await pipeline.cards()).toEqual([]);
    expect(await db().decision.findMany()).toMatchObject([{ outcome: 'page_gone' }]);
    expect(await db().message.count()).toBe(0);
  });

  test.each([
    ['answers 500', { kind: 'fail', status: 500 }],
    ['answers 429', { kind: 'fail', status: 429 }],
    ['answers 529', { kind: 'fail', status: 529 }],
    ['hangs up', { kind: 'hangup' }],
    ['is hidden behind a page of a proxy', { kind: 'garble' }],
    ['answers in an unknown shape', { kind: 'reshape' }],
    ['is slow', { kind: 'slow', delayMs: 300 }],
  ] as const)('because Notion %s is a card a little later', async (_, fault) => {
    await prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    pipeline.fault({ target: 'notion', match: 'GET /v1/pages/', ...fault });
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
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
    for (const title of titles) await pipeline.edit(title, { Status: 'Backlog' });
    await pipeline.idle();
    await pipeline.rule();
    await pipeline.story.product.rest();
    for (const title of titles) await pipeline.edit(title, { Status: 'Cut' });
    await revoke(true);
    await control('DELETE', '/calls');
    await pipeline.story.product.work();
    await pipeline.idle();
    expect((await pipeline.lines()).sort()).toEqual(
      titles.map((title) => `${title}: Status: Backlog → Cut`).sort(),
    );
    expect((await control('GET', '/calls'))['POST /v1/oauth/token']).toBe(1);
  });

  test('that was revoked shows as a problem, and connecting again fixes it', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    await revoke(false);
    await pipeline.send({ pageId: await pipeline.pageId(GOLEM) });
    await pipeline.idle();
    const workspace = async () =>
      (await pipeline.story.product.call('mira', 'GET', '/api/app/notion/workspace')).body;
    expect((await workspace()).problem).toBe(
      'Notion no longer accepts this connection. Connect the workspace again.',
    );
    await pipeline.story.product.connectNotion('mira', [pipeline.story.board.id, pipeline.story.docs.id]);
    expect((await workspace()).problem).toBeNull();
    await pipeline.edit(GOLEM, { Status: 'Done' });
    await pipeline.idle();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });
});
