import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { getPage } from '@/lib/integrations/notion/notion-page';
import { MissedChanges } from '@/lib/testing/missed-changes';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { schemaOf } from './database-schema';
import { withNotion } from './notion-access';
import { refreshKeptDatabase } from './refresh-database';
import { refreshKeptWorkspace } from './refresh-workspace';

const GOLEM = 'Boss fight: ember golem';
let pipeline: Pipeline;
let missed: MissedChanges;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  missed = new MissedChanges(pipeline);
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('notion', method, path, body);
const edit = (change: Record<string, unknown>, database = 'Sprint board') =>
  control('POST', '/databases/schema', { database, edit: change });
const change = (body: Record<string, unknown>) => control('PATCH', '/databases', body);
const told = async (act: () => Promise<unknown>) => {
  await pipeline.told(act);
  await pipeline.idle();
};
const kept = (id = pipeline.story.board.dataSourceId) => db().notionDatabase.findFirst({ where: { id } });
const names = async () => {
  const database = await kept();
  return database ? schemaOf(database).map(({ name }) => name) : [];
};
const rules = async () => (await pipeline.story.product.call('mira', 'GET', '/api/app/rules')).body;

test('renamed properties, options and databases are noticed without a call', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule({ statusTo: ['Done'] });
  await told(() => edit({ action: 'rename property', property: 'Status', name: 'Stage' }));
  await told(() => edit({ action: 'rename option', property: 'Stage', option: 'Done', name: 'Shipped' }));
  await told(() => change({ database: 'Sprint board', name: 'Race board' }));
  expect(await names()).toContain('Stage');
  expect(await rules()).toMatchObject([{ databaseName: 'Race board', statusTo: ['Shipped'] }]);
  await told(() =>
    control('PATCH', '/rows', { page: GOLEM, database: 'Race board', properties: { Stage: 'Shipped' } }),
  );
  const [card] = await pipeline.cards();
  expect(card.embeds[0].description).toContain('Stage: Backlog → Shipped');
  expect(card.embeds[0].author.name).toContain('Race board');
  await told(() => change({ database: 'Race board', name: 'Sprint board' }));
  await told(() => edit({ action: 'rename option', property: 'Stage', option: 'Shipped', name: 'Done' }));
  await told(() => edit({ action: 'rename property', property: 'Stage', name: 'Status' }));
});

test('many edits of the columns at once cause one reading', async () => {
  await pipeline.story.product.rest();
  await control('DELETE', '/calls');
  for (const name of ['One', 'Two', 'Three']) {
    await pipeline.told(() => edit({ action: 'add property', name, type: 'number' }));
  }
  await pipeline.story.product.work();
  await pipeline.idle();
  const calls = await control('GET', '/calls');
  expect(calls[`GET /v1/data_sources/${pipeline.story.board.dataSourceId}`]).toBe(1);
  expect(await names()).toEqual(expect.arrayContaining(['One', 'Two', 'Three']));
});

test('a rule continues with the rest when one of its properties is deleted', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await told(() => edit({ action: 'add property', name: 'Mood', type: 'rich_text' }));
  await pipeline.rule({ watchedProperties: ['Mood', 'Status'], displayedFields: ['Mood'] });
  await told(() => edit({ action: 'delete property', property: 'Mood' }));
  expect(await names()).not.toContain('Mood');
  await pipeline.edit(GOLEM, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  expect((await rules())[0].watchedProperties).toHaveLength(2);
});

test('what was deleted is named as it was called last, until it is no longer needed', async () => {
  await told(() => edit({ action: 'add property', name: 'Mood', type: 'rich_text' }));
  await told(() => edit({ action: 'add option', property: 'Status', name: 'Parked' }));
  const { id } = await pipeline.rule({
    watchedProperties: ['Mood', 'Status'],
    displayedFields: ['Mood'],
    statusTo: ['Parked', 'Done'],
  });
  await told(() => edit({ action: 'rename property', property: 'Mood', name: 'Weather' }));
  await told(() => edit({ action: 'delete property', property: 'Weather' }));
  await told(() => edit({ action: 'rename option', property: 'Status', option: 'Parked', name: 'On ice' }));
  await told(() => edit({ action: 'delete option', property: 'Status', option: 'On ice' }));
  await told(() => edit({ action: 'add property', name: 'Later', type: 'number' }));
  const [rule] = await rules();
  const texts = [
    'The watched property "Weather" was deleted in Notion: nothing is posted for it any more.',
    'The status "On ice" was deleted in Notion: no page can have it any more.',
    'The displayed field "Weather" was deleted in Notion: cards leave it out.',
  ];
  expect(rule.health).toMatchObject({ state: 'broken', reason: texts.join(' ') });
  expect(rule.problems.map(({ text }: { text: string }) => text)).toEqual(texts);
  expect(rule.statusTo).toEqual(['On ice', 'Done']);
  expect(rule.problems[1].id).toBe('On ice');
  const repaired = {
    ...rule,
    watchedProperties: ['Status'],
    displayedFields: [],
    statusTo: ['Done'],
  };
  await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, repaired);
  expect((await rules())[0]).toMatchObject({ health: { state: 'idle' }, problems: [] });
});

test('former names are limited: those that no rule needs go first, then the oldest', async () => {
  await told(() => edit({ action: 'add property', name: 'Fog', type: 'rich_text' }));
  const { id } = await pipeline.rule({ watchedProperties: ['Fog', 'Status'] });
  const { watchedProperties } = await db().rule.findUniqueOrThrow({ where: { id } });
  const long = (prefix: string, count: number) =>
    Object.fromEntries([...Array(count).keys()].map((nr) => [`${prefix}${nr}`, 'n'.repeat(5000)]));
  const asked = [...watchedProperties, ...Object.keys(long('asked', 400))];
  await db().rule.update({ where: { id }, data: { watchedProperties: asked } });
  const formerNames = { ...long('asked', 400), ...long('forgotten', 400) };
  await db().notionDatabase.updateMany({
    where: { id: pipeline.story.board.dataSourceId },
    data: { formerNames },
  });
  await told(() => edit({ action: 'delete property', property: 'Fog' }));
  const former = (await kept())?.formerNames as Record<string, string>;
  expect(former[watchedProperties[0] ?? '']).toBe('Fog');
  expect(Object.keys(former)).toHaveLength(300);
  expect(Object.keys(former).filter((key) => key.startsWith('forgotten'))).toEqual([]);
  expect(Object.values(former).every((name) => name.length <= 100)).toBe(true);
});

test('a database in the trash counts as not shared, its rules are kept, and once restored it is back', async () => {
  await pipeline.rule();
  await told(() => change({ database: 'Sprint board', inTrash: true }));
  expect((await kept())?.isShared).toBe(false);
  expect(await rules()).toHaveLength(1);
  const shown = async () =>
    (await pipeline.story.product.call('mira', 'GET', '/api/app/notion/workspace')).body.databases;
  expect((await shown()).map(({ name }: { name: string }) => name)).not.toContain('Sprint board');
  await missed.lookedAt(15);
  await control('DELETE', '/calls');
  await missed.pass();
  expect(await missed.queries()).toBe(0);
  await told(() => change({ database: 'Sprint board', inTrash: false }));
  expect((await kept())?.isShared).toBe(true);
});

test('a database without rules that is no longer shared is deleted', async () => {
  const { id, dataSourceId } = pipeline.story.docs;
  await control('POST', '/authorizations/unshare', { person: 'mira', database: id });
  await refreshKeptDatabase({ workspaceId: await missed.workspaceId(), databaseId: dataSourceId });
  expect(await kept(dataSourceId)).toBeNull();
  await control('POST', '/authorizations/share', { person: 'mira', database: id });
  await refreshKeptDatabase({ workspaceId: await missed.workspaceId(), databaseId: dataSourceId });
  expect((await kept(dataSourceId))?.isShared).toBe(true);
});

describe('what Notion returns in an unknown shape', () => {
  const unreadable = (id: string, shape: object = { object: 'data_source', id, properties: null }) =>
    control('PATCH', '/settings', { replaced: { [id]: shape } });
  const refresh = async () => refreshKeptWorkspace({ workspaceId: await missed.workspaceId() });
  afterEach(() => control('PATCH', '/settings', { replaced: {} }));

  test('leaves a database that rules use as it was, and the others are read', async () => {
    await pipeline.rule();
    await unreadable(pipeline.story.board.dataSourceId);
    await missed.unheard(() => change({ database: 'Design docs', name: 'Design notes' }));
    const before = await kept();
    expect(await refresh()).toEqual({ done: true });
    expect(await kept()).toEqual(before);
    expect((await kept(pipeline.story.docs.dataSourceId))?.name).toBe('Design notes');
    await missed.unheard(() => change({ database: 'Design notes', name: 'Design docs' }));
  });

  test('does not keep a pass from comparing the pages of the database', async () => {
    await pipeline.prepare(GOLEM, { Status: 'Backlog' });
    await pipeline.rule();
    await missed.lookedAt(15);
    await db().notionDatabase.updateMany({ data: { schemaCheckedAt: new Date(0) } });
    await missed.edit(GOLEM, { Status: 'Done' });
    await unreadable(pipeline.story.board.dataSourceId);
    await missed.pass();
    expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
  });

  test('may be a person, whom the list then lacks, or a detail of one', async () => {
    const people = () => db().notionUser.findMany({ orderBy: { id: 'asc' } });
    await refresh();
    const [first, second, ...others] = await people();
    await unreadable(first?.id ?? '', { object: 'user', id: { of: 'nobody' } });
    await refresh();
    expect(await people()).toEqual([second, ...others]);
    await unreadable(first?.id ?? '', { object: 'user', id: first?.id, name: 7, person: 'Somebody' });
    await refresh();
    expect(await people()).toMatchObject([{ id: first?.id, name: 'Unnamed person' }, second, ...others]);
  });

  test('may be a watched page, which stays as it was while the others are read', async () => {
    const workspaceId = await missed.workspaceId();
    const [first, second] = [await pipeline.pageId(GOLEM), await pipeline.pageId('Ash storm weather effect')];
    for (const id of [first, second])
      await db().notionPage.create({ data: { workspaceId, id, title: 'Old' } });
    await unreadable(first, { object: 'page', id: first, properties: null });
    await refresh();
    const pages = await db().notionPage.findMany();
    expect(new Map(pages.map(({ id, title, isShared }) => [id, { title, isShared }]))).toEqual(
      new Map([
        [first, { title: 'Old', isShared: true }],
        [second, { title: 'Ash storm weather effect', isShared: true }],
      ]),
    );
    await db().notionPage.deleteMany();
  });

  test('is an error when it is a whole list, so that nothing is taken for deleted', async () => {
    const databases = () =>
      db().notionDatabase.findMany({ select: { id: true, isShared: true }, orderBy: { id: 'asc' } });
    const before = await databases();
    const replaced = Object.fromEntries(before.map(({ id }) => [id, { object: 'data_source', id: 7 }]));
    await control('PATCH', '/settings', { replaced });
    await refresh();
    expect(await databases()).toEqual(before);
  });
});

test('a workspace is read again later while Notion does not answer', async () => {
  const { faults } = pipeline.story.product.sandbox.context;
  const workspaceId = await missed.workspaceId();
  faults.add({ target: 'notion', kind: 'fail', match: '/v1/search', times: 0, status: 503, delayMs: 0 });
  expect(await refreshKeptWorkspace({ workspaceId })).toEqual({ retryInMs: 60_000 });
  faults.clear();
  expect(await refreshKeptWorkspace({ workspaceId })).toEqual({ done: true });
});

test('the next pass notices what no webhook reported: a new name on a page, a lost column within an hour', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await missed.lookedAt(15);
  await missed.unheard(() => edit({ action: 'rename property', property: 'Priority', name: 'Urgency' }));
  await missed.edit(GOLEM, { Status: 'Done' });
  await missed.pass();
  expect(await names()).toContain('Urgency');
  await missed.unheard(() => edit({ action: 'delete property', property: 'Urgency' }));
  await missed.lookedAt(15);
  await db().notionDatabase.updateMany({ data: { schemaCheckedAt: new Date(0) } });
  await missed.pass();
  expect(await names()).not.toContain('Urgency');
});

test('each database shows when its last event happened', async () => {
  const at = new Date(Date.now() - 3_600_000);
  const pageId = await pipeline.pageId(GOLEM);
  await pipeline.send({ pageId, at: new Date(at.getTime() - 60_000) });
  await pipeline.send({ pageId, at });
  await db().notionEvent.create({
    data: {
      workspaceId: await missed.workspaceId(),
      id: `reconciled:${pageId}:created`,
      type: 'page.created',
      pageId,
      databaseId: pipeline.story.board.dataSourceId,
      occurredAt: new Date(),
      processedAt: new Date(),
    },
  });
  const { body } = await pipeline.story.product.call('mira', 'GET', '/api/app/notion/workspace');
  const lastOf = (name: string) =>
    body.databases.find((database: { name: string }) => database.name === name).lastEventAt;
  expect(lastOf('Sprint board')).toBe(at.toISOString());
  expect(lastOf('Design docs')).toBeNull();
});

test('a property may have the name of what every object has', async () => {
  await told(() => edit({ action: 'add property', name: '__proto__', type: 'rich_text' }));
  expect(await names()).toContain('__proto__');
  const { watchedProperties } = await pipeline.rule({ watchedProperties: ['__proto__'] });
  expect(watchedProperties).toHaveLength(1);
  const workspace = await missed.workspace();
  const pageId = await pipeline.pageId(GOLEM);
  const page = await withNotion(workspace, (token) => getPage(token, pageId));
  expect([...page.values.values()].map(({ name }) => name)).toContain('__proto__');
  await told(() => edit({ action: 'delete property', property: '__proto__' }));
});
