import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

const UNSHARED = 'Studio handbook';

let pipeline: Pipeline;
let wiki: string;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
  wiki = (await docs()).find(({ title }) => title === 'Engineering wiki')?.id ?? '';
  await notion('/authorizations/share', { person: 'mira', page: 'Engineering wiki' });
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await db().notionParent.deleteMany();
});

const notion = (path: string, body: unknown, method = 'POST') =>
  pipeline.story.product.control('notion', method, path, body);
const docs = (): Promise<{ id: string; title: string }[]> =>
  pipeline.story.product.control('notion', 'GET', '/docs');
const send = (changes: Record<string, unknown>, path = '/api/app/rules') =>
  pipeline.story.product.call('mira', 'POST', path, {
    eventType: 'page_created',
    channelId: pipeline.story.channel('tasks'),
    ...changes,
  });
const watch = async (subpages: string, changes: Record<string, unknown> = {}) => {
  const answer = await send({ source: { kind: 'page', pageId: wiki, subpages }, ...changes });
  expect(answer.status).toBe(201);
  return answer.body;
};
const addDoc = (title: string, above: string): Promise<{ id: string }> =>
  notion('/docs', { title, in: above, as: 'jonas' });
const addBlock = async (type: string, above: string): Promise<string> =>
  (await notion('/docs/blocks', { type, in: above })).id;
const calls = async (prefix: string): Promise<number> => {
  const made: Record<string, number> = await pipeline.story.product.control('notion', 'GET', '/calls');
  return Object.entries(made).reduce((sum, [call, n]) => (call.startsWith(prefix) ? sum + n : sum), 0);
};

/** Makes pages, waits until Notion has reported them and they have settled. Returns the titles of all cards. */
async function cardsFor(...made: [title: string, above: string][]): Promise<string[]> {
  for (const [title, above] of made) {
    // Notion reports nothing about a page that is not shared.
    if (above === UNSHARED) await addDoc(title, above);
    else await pipeline.told(() => addDoc(title, above));
  }
  await pipeline.settle();
  return (await pipeline.cards()).map((card) => String(card.embeds[0]?.title)).sort();
}

test('a page alone, with its subpages, or with all below it', async () => {
  const inColumn = await addBlock('column', await addBlock('column_list', wiki));
  const child = await addDoc('Child', wiki);
  await watch('children');
  expect(
    await cardsFor(
      ['Right below', wiki],
      ['In a column', inColumn],
      ['Deeper', child.id],
      ['At the top', UNSHARED],
    ),
  ).toEqual(['In a column', 'Right below']);

  await pipeline.clear();
  await watch('all');
  const row = (await pipeline.story.product.control('notion', 'GET', '/rows?database=Sprint%20board'))[0].id;
  await notion('/docs/move', { database: 'Sprint board', to: child.id });
  const inRow: [string, string] = ['In a row', row];
  expect(await cardsFor(['Grandchild', child.id], inRow, ['Studio news', UNSHARED])).toEqual([
    'Grandchild',
    'In a row',
  ]);
  await notion('/docs/move', { database: 'Sprint board', to: 'workspace' });
  await pipeline.idle();
  await pipeline.clear();
  await watch('all');
  expect(await cardsFor(['In a row elsewhere', row])).toEqual([]);

  await pipeline.clear();
  await watch('none', { eventType: 'page_updated' });
  await pipeline.told(() => notion('/docs', { page: wiki, title: 'Team wiki' }, 'PATCH'));
  await pipeline.told(() => notion('/docs', { page: child.id, title: 'Renamed child' }, 'PATCH'));
  await pipeline.idle();
  const [card, ...others] = await pipeline.cards();
  expect(others).toEqual([]);
  expect(card?.embeds[0]).toMatchObject({
    author: { name: '📚 Engineering wiki' },
    description: expect.stringContaining('Engineering wiki → Team wiki'),
  });
  const [rule] = (await pipeline.story.product.call('mira', 'GET', '/api/app/rules')).body;
  expect(rule).toMatchObject({ databaseId: null, sourceName: 'Team wiki', watching: 'Title changes' });
  await pipeline.told(() => notion('/docs', { page: wiki, title: 'Engineering wiki' }, 'PATCH'));
});

test('a page that was made just before its rule shows its old title, too', async () => {
  const made = await addDoc('Draft of today', wiki);
  await pipeline.idle();
  await pipeline.clear();
  await watch('children', { eventType: 'page_updated' });
  await pipeline.told(() => notion('/docs', { page: made.id, title: 'Plan of today' }, 'PATCH'));
  await pipeline.idle();
  const [card] = await pipeline.cards();
  expect(card?.embeds[0]?.description).toContain('Draft of today → Plan of today');
});

test('what is above a page is asked once, and again after a move', async () => {
  const [watched, other] = [await addDoc('Watched', wiki), await addDoc('Other', wiki)];
  const one = await addDoc('One', watched.id);
  const deep = await addDoc('Deep', one.id);
  await watch('all', { source: { kind: 'page', pageId: watched.id, subpages: 'all' } });
  await cardsFor(['First', deep.id]);
  await pipeline.story.product.control('notion', 'DELETE', '/calls');
  expect(await cardsFor(['Second', deep.id])).toEqual(['First', 'Second']);
  // The new page is read when it is new and when it has settled. Its parents are known already.
  expect(await calls('GET /v1/pages')).toBe(2);
  await pipeline.told(() => notion('/docs/move', { page: one.id, to: other.id }));
  expect(await cardsFor(['Moved away', deep.id])).toEqual(['First', 'Second']);
  await pipeline.told(() => notion('/docs/move', { page: one.id, to: watched.id }));
  expect(await cardsFor(['Moved back', deep.id])).toEqual(['First', 'Moved back', 'Second']);
});

test('what Notion does not show is said to be unknown, and a tree that leads in a circle ends', async () => {
  const rule = await watch('all');
  const [one, two] = [await addDoc('Circle', 'workspace'), await addDoc('Circle too', 'workspace')];
  const hidden = await addDoc('Hidden', 'workspace');
  await notion('/docs/move', { page: one.id, to: two.id });
  await notion('/docs/move', { page: two.id, to: one.id });
  await notion('/authorizations/share', { person: 'mira', page: one.id });
  const shared = await addDoc('Shared alone', hidden.id);
  await notion('/authorizations/share', { person: 'mira', page: shared.id });
  expect(await cardsFor(['Round', one.id], ['Under the hidden one', shared.id])).toEqual([]);
  const log = await pipeline.story.product.call('mira', 'GET', `/api/app/rules/${rule.id}/deliveries`);
  const reasons = log.body.deliveries.map((each: { reason: string }) => each.reason);
  expect(reasons.length).toBeGreaterThanOrEqual(2);
  expect(new Set(reasons)).toEqual(
    new Set([
      expect.stringMatching(/^It is unknown whether the page is below the one that the rule watches/),
    ]),
  );
});

test('everything that is shared: pages in databases with their buttons, and pages outside', async () => {
  const made = await send({ source: { kind: 'workspace' } });
  expect(made.body).toMatchObject({ databaseId: null, dbType: null, sourceName: 'Everything shared' });
  await pipeline.told(() =>
    notion('/rows', { database: 'Sprint board', as: 'jonas', properties: { Name: 'Lava level' } }),
  );
  expect(await cardsFor(['Wiki news', wiki], ['Hidden news', UNSHARED])).toEqual(['Lava level', 'Wiki news']);
  const cards = await pipeline.cards();
  const [row, page] = ['Lava level', 'Wiki news'].map((title) =>
    cards.find(({ embeds }) => embeds[0]?.title === title),
  );
  expect(JSON.stringify(row)).toContain('assign:');
  expect(JSON.stringify(page)).not.toContain('assign:');
  expect(row?.embeds[0]).toMatchObject({ author: { name: '🔥 Sprint board' } });
  expect(page?.embeds[0]?.footer?.text).toContain('Everything shared → #tasks');
});

test('a page that is no longer shared is a problem of the rule, until it is shared again', async () => {
  const rule = await watch('all');
  const health = async () =>
    (await pipeline.story.product.call('mira', 'POST', `/api/app/rules/${rule.id}/check`)).body;
  await notion('/authorizations/unshare', { person: 'mira', page: wiki });
  expect(await health()).toMatchObject({
    problems: [{ part: 'source', id: wiki }],
    health: { state: 'broken', reason: expect.stringContaining('"Engineering wiki"') },
  });
  await notion('/authorizations/share', { person: 'mira', page: wiki });
  expect(await health()).toMatchObject({ problems: [], health: { state: 'idle' } });
  await pipeline.told(() => notion('/docs/trash', { page: wiki }));
  await eventually(async () => (await health()).problems.length === 1);
  await pipeline.told(() => notion('/docs/trash', { page: wiki, restore: true }));
  await eventually(async () => (await health()).problems.length === 0);
});

test('a preview and a copy', async () => {
  const rule = await watch('all', { name: 'Wiki' });
  const { body: copy } = await pipeline.story.product.call(
    'mira',
    'POST',
    `/api/app/rules/${rule.id}/duplicate`,
  );
  expect(copy).toMatchObject({ source: rule.source, enabled: false });
  const preview = await pipeline.story.product.call('mira', 'POST', '/api/app/rules/preview', {
    source: rule.source,
    eventType: 'page_created',
    channelId: rule.channelId,
  });
  expect(preview).toMatchObject({ status: 200, body: { embed: { author: { name: expect.any(String) } } } });
  expect((await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, rule)).status).toBe(
    200,
  );
  for (const { id } of [rule, copy])
    await pipeline.story.product.call('mira', 'DELETE', `/api/app/rules/${id}`);
  expect(await db().notionPage.count()).toBe(0);
});

test('a rule of a page, and one of everything, are tried on what happened below', async () => {
  const tried = async (source: unknown) => {
    const rule = { source, eventType: 'page_created', channelId: pipeline.story.channel('tasks') };
    const { body } = await pipeline.story.product.call('mira', 'POST', '/api/app/rules/try', { rule });
    const posted = body.items.filter(({ outcome }: { outcome: string }) => outcome === 'posted');
    return posted.map(({ title }: { title: string }) => title).sort();
  };
  const below = await addDoc('Below', wiki);
  await watch('all');
  await cardsFor(['Tried page', below.id]);
  await pipeline.told(() =>
    notion('/rows', { database: 'Sprint board', as: 'jonas', properties: { Name: 'Tried row' } }),
  );
  await pipeline.settle();
  const page = { kind: 'page', pageId: wiki };
  expect(await tried({ ...page, subpages: 'all' })).toContain('Tried page');
  expect(await tried({ ...page, subpages: 'all' })).not.toContain('Tried row');
  expect(await tried({ ...page, subpages: 'children' })).not.toContain('Tried page');
  expect(await tried({ ...page, subpages: 'none' })).toEqual([]);
  expect(await tried({ kind: 'workspace' })).toEqual(expect.arrayContaining(['Tried page', 'Tried row']));
});

test('exported rules find their page by its title where its id is unknown', async () => {
  await watch('children', { name: 'Wiki' });
  await send({ source: { kind: 'workspace' } });
  const { body: file } = await pipeline.story.product.call('mira', 'GET', '/api/app/rules/export');
  expect(file.rules[0]).toMatchObject({ databaseId: null, pageTitle: 'Engineering wiki' });
  await db().rule.deleteMany();
  const foreign = JSON.parse(JSON.stringify(file).replaceAll(wiki, '11111111-2222-4333-8444-555555555555'));
  const bring = { file: foreign, apply: true };
  const brought = await pipeline.story.product.call('mira', 'POST', '/api/app/rules/import', bring);
  expect(brought).toMatchObject({ status: 200, body: { created: 2 } });
  const rules = await db().rule.findMany({ orderBy: { createdAt: 'asc' } });
  expect(rules.map(({ pageId }) => pageId)).toEqual([wiki, null]);
});

test('pages are found by their titles or by a link', async () => {
  const find = async (query: string) => {
    const path = `/api/app/notion/pages?query=${encodeURIComponent(query)}`;
    return (await pipeline.story.product.call('mira', 'GET', path)).body.pages;
  };
  expect(await find('conventions')).toEqual([
    {
      id: expect.any(String),
      title: 'Coding conventions',
      icon: '📐',
      url: expect.any(String),
      parentTitle: null,
    },
  ]);
  expect(await find('build pipe')).toMatchObject([{ parentTitle: 'Engineering wiki' }]);
  const link = `https://www.notion.so/lantern/Engineering-wiki-${wiki.replaceAll('-', '')}?pvs=4`;
  expect(await find(link)).toMatchObject([{ id: wiki, title: 'Engineering wiki' }]);
  expect(await find(UNSHARED)).toEqual([]);
});

test('the rule of a page without a title has a name, also before it is saved', async () => {
  const { id: pageId } = await addDoc('', wiki);
  const rule = { source: { kind: 'page', pageId, subpages: 'all' } };
  const preview = await send(rule, '/api/app/rules/preview');
  expect(preview.body.embed.footer.text).toBe('Pagewire · Untitled → #tasks · Page Created');
  const { body } = await send(rule);
  expect(body).toMatchObject({ pageTitle: 'Untitled', sourceName: 'Untitled and all below' });
});

test('what does not fit is refused at its field, and nothing is stored', async () => {
  const page = { kind: 'page', pageId: wiki, subpages: 'all' };
  const hidden = (await docs()).find(({ title }) => title === UNSHARED)?.id;
  const databaseId = pipeline.story.board.dataSourceId;
  const condition = { propertyId: 'title', operator: 'is_not_empty' };
  const cases: [Record<string, unknown>, number, RegExp][] = [
    [{ source: { kind: 'folder' } }, 400, /^source\.kind must be/],
    [{ source: { ...page, subpages: 'some' } }, 400, /^source\.subpages must be/],
    [{ source: { ...page, pageId: 'https://example.com/nothing' } }, 400, /^source\.pageId must be/],
    [{ source: { ...page, depth: 3 } }, 400, /^source: Unrecognized/],
    [{ source: page, databaseId }, 400, /^databaseId does not go with/],
    [{ source: { kind: 'workspace' }, dbType: 'task' }, 400, /^dbType does not go with/],
    [{ source: page, conditions: { items: [condition] } }, 400, /^conditions need a database/],
    [{ source: page, watchedProperties: ['Status'] }, 400, /^watchedProperties must be/],
    [{ source: page, statusTo: ['Done'] }, 400, /^statusTo needs/],
    [{ source: page, displayedFields: ['title'] }, 400, /^displayedFields needs/],
    [
      { source: { kind: 'database', databaseId: 'x' }, databaseId },
      400,
      /^databaseId and source\.databaseId/,
    ],
    [{}, 400, /^databaseId: Choose a database/],
    [{ source: { ...page, pageId: hidden } }, 404, /^source\.pageId: that page is not shared/],
    [{ source: { ...page, pageId: databaseId } }, 404, /^source\.pageId: that page is not shared/],
  ];
  for (const [changes, status, sentence] of cases) {
    const answer = await send(changes);
    expect([changes, answer.status, answer.body.error]).toEqual([
      changes,
      status,
      expect.stringMatching(sentence),
    ]);
  }
  expect(await db().rule.count()).toBe(0);
});
