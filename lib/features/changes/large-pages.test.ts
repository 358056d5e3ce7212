import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { seal } from '@/lib/crypto';
import { databasePool, db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { openSnapshot } from '../matching/snapshot';

const PAGE = 'Boss fight: ember golem';
const RULES = 10;
const TEXTS = Array.from({ length: 100 }, (_, nr) => `Text ${nr}`);
const MB = 1024 * 1024;

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  const edit = (name: string) => ({ action: 'add property', name, type: 'rich_text' });
  for (const name of TEXTS) {
    const body = { database: 'Sprint board', as: 'mira', edit: edit(name) };
    await pipeline.story.product.control('notion', 'POST', '/databases/schema', body);
  }
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
});

/** A text of this many characters for each of the page's hundred properties. */
const texts = (length: number, end: string) =>
  Object.fromEntries(TEXTS.map((name) => [name, 'word '.repeat(length / 5 - 1) + end.padStart(5)]));

async function addRules(watchedProperties: string[]): Promise<string[]> {
  const displayedFields = watchedProperties.slice(0, 5);
  const ids: string[] = [];
  for (let nr = 0; nr < RULES; nr += 1)
    ids.push((await pipeline.rule({ watchedProperties, displayedFields })).id);
  return ids;
}

async function tableBytes(): Promise<number> {
  const { rows } = await databasePool().query<{ bytes: string }>(`
    select sum(pg_total_relation_size(oid)) as bytes from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`);
  return Number(rows[0]?.bytes);
}

const deliveries = (ruleId: string, query = '') =>
  pipeline.story.product.call('mira', 'GET', `/api/app/rules/${ruleId}/deliveries${query}`);

test('ten rules that watch a hundred long texts cost little space, and their list is short', async () => {
  await pipeline.prepare(PAGE, texts(20_000, 'one'));
  const [ruleId = ''] = await addRules(TEXTS);
  const before = await tableBytes();
  // The change is far beyond what a card shows.
  await pipeline.edit(PAGE, texts(20_000, 'two'));
  await pipeline.idle();
  expect(await pipeline.cards()).toHaveLength(RULES);
  expect((await tableBytes()) - before).toBeLessThan(2 * MB);
  const { body } = await deliveries(ruleId, '?limit=100');
  expect(body.deliveries[0]).toMatchObject({ state: 'sent', changes: { length: 25 }, moreChanges: 75 });
  const [{ before: was, after }] = body.deliveries[0].changes;
  expect([was.length, after.length].every((length) => length > 250 && length <= 300)).toBe(true);
  expect(JSON.stringify(body).length).toBeLessThan(MB / 10);
});

test('a page that is too large to be read is decided once, and the list says why there is no card', async () => {
  await pipeline.prepare(PAGE, texts(20_000, 'one'));
  const [ruleId = ''] = await addRules(TEXTS);
  const before = await tableBytes();
  await pipeline.edit(PAGE, texts(200_000, 'two'));
  await pipeline.idle();
  expect(await pipeline.cards()).toEqual([]);
  expect(await pipeline.fetches(await pipeline.pageId(PAGE))).toBe(1);
  expect((await deliveries(ruleId)).body.deliveries[0]).toMatchObject({
    state: 'skipped',
    reason: 'The properties of the page are too large: Pagewire reads up to 8 MB of a page.',
  });
  expect((await tableBytes()) - before).toBeLessThan(2 * MB);
  // The first change that can be read again is posted, with the values from before the large ones.
  await pipeline.edit(PAGE, texts(1000, 'three'));
  await pipeline.idle();
  expect(await pipeline.cards()).toHaveLength(RULES);
});

test('a database with pages that do not fit into one answer is read all the same', async () => {
  await pipeline.prepare(PAGE, texts(200_000, 'one'));
  await pipeline.rule({ watchedProperties: TEXTS.slice(0, 1).concat('Status') });
  await pipeline.idle();
  const rows = await pipeline.story.product.control('notion', 'GET', '/rows?database=Sprint%20board');
  expect(await db().pageSnapshot.count()).toBe(rows.length);
});

test('a value that an earlier version stored whole is no change, and is stored shortened from then on', async () => {
  const [name = ''] = TEXTS;
  const whole = texts(20_000, 'one')[name] ?? '';
  await pipeline.prepare(PAGE, { ...texts(1000, 'two'), [name]: whole, Status: 'Backlog' });
  await pipeline.rule({ watchedProperties: [name, 'Status'] });
  const pageId = await pipeline.pageId(PAGE);
  const { workspaceId, sealedValues } = await db().pageSnapshot.findFirstOrThrow({ where: { pageId } });
  const purpose = `snapshot:${workspaceId}:${pageId}`;
  const values = Object.entries(openSnapshot(sealedValues, workspaceId, pageId)).map(([id, value]) => [
    id,
    value.type === 'rich_text' ? { ...value, key: whole, text: whole } : value,
  ]);
  const old = seal(JSON.stringify(Object.fromEntries(values)), purpose);
  await db().pageSnapshot.updateMany({ where: { pageId }, data: { sealedValues: old } });

  await pipeline.edit(PAGE, { Status: 'Done' });
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${PAGE}: Status: Backlog → Done`]);
  const kept = await db().pageSnapshot.findFirstOrThrow({ where: { pageId } });
  expect(kept.sealedValues.length).toBeLessThan(2000);
});
