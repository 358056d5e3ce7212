import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db, inBackground, pagePool } from '@/lib/db/database';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { SECOND_MS } from '@/lib/time';
import { findPosition } from './find-position';
import { forgetParents } from './kept-parents';

let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
  await notion('/authorizations/share', { person: 'mira', page: 'Engineering wiki' });
});
afterAll(() => pipeline.story.product.stop());

const notion = (path: string, body: unknown) => pipeline.story.product.control('notion', 'POST', path, body);
const addDoc = (title: string, above: string): Promise<{ id: string }> =>
  notion('/docs', { title, in: above, as: 'jonas' });

const everythingBelow = (pageId: string) =>
  [{ sourceKind: 'page', databaseId: null, pageId, subpages: 'all' }] as const;

async function wikiId(): Promise<string> {
  const docs: { id: string; title: string }[] = await pipeline.story.product.control(
    'notion',
    'GET',
    '/docs',
  );
  return docs.find(({ title }) => title === 'Engineering wiki')?.id ?? '';
}

test('where a data source is, which nobody asked for before its database was moved, is not kept', async () => {
  const [watched, other] = [
    await addDoc('Former place', await wikiId()),
    await addDoc('New place', await wikiId()),
  ];
  const { id: database, dataSourceId: id } = pipeline.story.docs;
  await pipeline.told(() => notion('/docs/move', { database, to: watched.id }));
  const workspace = await db().notionWorkspace.findFirstOrThrow();
  const parent = { kind: 'data_source', id, databaseId: database } as const;
  const find = () =>
    findPosition(workspace, { pageId: 'row', databaseId: id, parent }, [...everythingBelow(watched.id)]);
  await db().notionParent.deleteMany();

  const { answers, end } = await HeldAnswers.begin();
  answers.hold(new RegExp(`^GET /v1/data_sources/${id}`));
  const found = find();
  await eventually(async () => answers.isHolding);
  await pipeline.told(() => notion('/docs/move', { database, to: other.id }));
  answers.release();
  expect((await found).above).toContainEqual({ kind: 'page', id: watched.id });
  end();

  expect((await find()).above).toContainEqual({ kind: 'page', id: other.id });
});

test('a move counts also while the answer waits for a connection to be stored', async () => {
  const above = await addDoc('Above', await wikiId());
  const page = await addDoc('Below', above.id);
  await pipeline.allTold();
  const workspace = await db().notionWorkspace.findFirstOrThrow();
  const added = {
    pageId: 'new',
    databaseId: null,
    parent: { kind: 'page', id: page.id, databaseId: null },
  } as const;

  const { answers, end } = await HeldAnswers.begin();
  answers.hold(new RegExp(`^GET /v1/pages/${page.id}`));
  const found = findPosition(workspace, added, [...everythingBelow(above.id)]);
  await eventually(async () => answers.isHolding);
  const pool = pagePool();
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  answers.release();
  await eventually(async () => pool.waitingCount > 0);
  await inBackground(() => forgetParents([workspace.notionWorkspaceId], [page.id]));
  // Longer than Notion took to answer.
  await sleep(SECOND_MS);
  for (const each of taken) each.release();
  await found;
  end();

  expect(await db().notionParent.findFirst({ where: { id: page.id } })).toMatchObject({
    parentKind: 'unknown',
  });
});

test('a parent that Notion was asked for before a move is not kept after it', async () => {
  const wiki = await wikiId();
  const [watched, other] = [await addDoc('Watched', wiki), await addDoc('Other', wiki)];
  const one = await addDoc('One', watched.id);
  const deep = await addDoc('Deep', one.id);
  await pipeline.allTold();
  await pipeline.idle();
  await pipeline.story.product.call('mira', 'POST', '/api/app/rules', {
    eventType: 'page_created',
    channelId: pipeline.story.channel('tasks'),
    source: { kind: 'page', pageId: watched.id, subpages: 'all' },
  });
  await pipeline.settle();
  await db().notionParent.deleteMany();

  const { answers, end } = await HeldAnswers.begin();
  answers.hold(new RegExp(`^GET /v1/pages/${one.id}`));
  await addDoc('Early', deep.id);
  await eventually(async () => answers.isHolding);
  await pipeline.told(() => notion('/docs/move', { page: one.id, to: other.id }));
  const moved = () => db().notionEvent.count({ where: { pageId: one.id, type: 'page.moved' } });
  await eventually(async () => (await moved()) === 1);
  answers.release();
  await pipeline.settle();
  end();

  await pipeline.clear();
  await pipeline.story.product.call('mira', 'POST', '/api/app/rules', {
    eventType: 'page_created',
    channelId: pipeline.story.channel('tasks'),
    source: { kind: 'page', pageId: watched.id, subpages: 'all' },
  });
  await pipeline.told(() => addDoc('Later', deep.id));
  await pipeline.settle();
  expect(await pipeline.cards()).toEqual([]);
  expect(await db().notionParent.findFirst({ where: { id: one.id } })).toMatchObject({ parentId: other.id });
});
