import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { getPage } from '@/lib/integrations/notion/notion-page';
import { listPeopleOf } from '@/lib/integrations/notion/notion-write';
import { HeldAnswers } from '@/lib/testing/held-answers';
import { Pipeline } from '@/lib/testing/pipeline';
import { eventually, startConnectedProduct } from '@/lib/testing/product';
import { openNotionTokens } from '../workspaces/notion-tokens';

const PAGE = 'Lantern upgrade screen';
let pipeline: Pipeline;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.clear();
  await pipeline.story.product.work();
});

const control = (method: string, path: string, body: unknown) =>
  pipeline.story.product.control('notion', method, path, body);

async function addProperty(type: string, name: string, id?: string): Promise<void> {
  const edit = { action: 'add property', type, name, id };
  await control('POST', '/databases/schema', { database: 'Sprint board', edit });
}

async function edit(properties: Record<string, unknown>): Promise<void> {
  await pipeline.edit(PAGE, properties);
  await pipeline.idle();
}

/** What the newest card says about the first change. */
async function news(): Promise<string | undefined> {
  return (await pipeline.lines()).at(-1);
}

// Each type with a value, and what the card says about it. Files can be neither watched nor displayed.
const KINDS: [string, unknown, string][] = [
  ['rich_text', 'Ashes', 'Ashes'],
  ['number', 0.5, '0.5'],
  ['date', '2026-12-24', 'Dec 24, 2026'],
  ['people', ['mira'], '<@208917000000000101>'],
  ['checkbox', true, 'Yes'],
  ['url', 'https://example.com/a', 'https://example.com/a'],
  ['email', 'mira@example.com', 'mira@example.com'],
  ['phone_number', '+49 30 1234', '+49 30 1234'],
  ['verification', { state: 'verified' }, 'verified'],
  ['place', { lat: 52.5, lon: 13.4, name: 'Berlin' }, 'Berlin'],
];

test.each(KINDS)('a change of a property of type %s becomes a card', async (type, value, text) => {
  await addProperty(type, `A ${type}`);
  await pipeline.rule({ watchedProperties: [`A ${type}`], displayedFields: [`A ${type}`] });
  await edit({ [`A ${type}`]: value });
  expect(await news()).toMatch(/: (empty|No) → /);
  expect(await news()).toContain(` → ${text}`);
  expect(await pipeline.outcomes()).toEqual(['posted']);
});

test('a place that moved under the same name says where it was and is', async () => {
  await addProperty('place', 'Where');
  await pipeline.rule({ watchedProperties: ['Where'] });
  const office = { name: 'Office', address: 'Long Lane 1', lat: 52.5, lon: 13.4 };
  await edit({ Where: office });
  expect(await news()).toBe(`${PAGE}: Where: empty → Office`);
  await edit({ Where: { ...office, address: 'Short Lane 2', lat: 50 } });
  expect(await news()).toBe(`${PAGE}: Where: Office (Long Lane 1) → Office (Short Lane 2)`);
  await edit({ Where: { ...office, address: 'Short Lane 2', lat: 51 } });
  expect(await news()).toBe(`${PAGE}: Where: Office (50, 13.4) → Office (51, 13.4)`);
  await edit({ Where: { ...office, address: null, lat: 51 } });
  expect(await news()).toBe(`${PAGE}: Where: Office (Short Lane 2) → Office`);
});

test('the conversion of a property into another type is no change, and what follows it is', async () => {
  await addProperty('rich_text', 'Mood');
  await edit({ Mood: 'Bright', Estimate: 3 });
  await pipeline.rule({ watchedProperties: ['Mood', 'Estimate'] });
  const schema = (change: object) =>
    control('POST', '/databases/schema', { database: 'Sprint board', edit: { property: 'Mood', ...change } });
  await schema({ action: 'convert property', type: 'select' });
  await schema({ action: 'add option', name: 'Gloomy' });
  await pipeline.allTold();
  await edit({ Estimate: 5 });
  expect(await pipeline.lines()).toEqual([`${PAGE}: Estimate: 3 → 5`]);
  await edit({ Mood: 'Gloomy' });
  expect(await news()).toBe(`${PAGE}: Mood: Bright → Gloomy`);
  await schema({ action: 'convert property', type: 'rich_text' });
  await edit({ Mood: 'Calm' });
  expect(await news()).toBe(`${PAGE}: Mood: Calm`);
});

test('a card shows the fields of every type, the computed ones too', async () => {
  await pipeline.prepare(PAGE, { Priority: 'High', Tags: ['Combat', 'Art'], 'Design docs': [] });
  const computed = ['Points', 'Docs reviewed', 'ID', 'Created', 'Last edited by'];
  await pipeline.rule({
    watchedProperties: ['Estimate'],
    displayedFields: ['Priority', 'Tags', 'Status', ...computed],
  });
  await edit({ Estimate: 8, 'Design docs': ['Lantern upgrades'] });
  const [{ embeds }] = await pipeline.cards();
  const shown = embeds[0].fields.map(({ name, value }: { name: string; value: string }) => [name, value]);
  expect(Object.fromEntries(shown)).toEqual({
    Priority: 'High',
    Tags: 'Combat, Art',
    Status: 'Not started',
    Points: '16',
    'Docs reviewed': expect.stringMatching(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/),
    ID: expect.stringMatching(/^EMB-\d+$/),
    Created: expect.stringMatching(/^<t:\d+:f>$/),
    'Last edited by': '<@208917000000000101>',
  });
});

test('values of types that Pagewire does not know make no card and delay no other', async () => {
  const kinds = ['button', 'last_visited_time', 'of_next_year'];
  for (const kind of kinds) await addProperty(kind, kind);
  await pipeline.rule({ watchedProperties: [...kinds, 'Estimate'], displayedFields: kinds });
  for (const value of [{ deeply: { nested: [{ value: '\0' }] } }, 'text', 7]) {
    await edit({ button: value, last_visited_time: value, of_next_year: value });
  }
  expect(await pipeline.cards()).toEqual([]);
  expect(await pipeline.outcomes()).toEqual(Array(3).fill('unchanged'));
  await edit({ of_next_year: [], Estimate: 77 });
  expect(await news()).toBe(`${PAGE}: Estimate: 8 → 77`);
});

test('a page of 300 properties, all of them filled and a hundred of them watched, becomes one card', async () => {
  const names = Array.from({ length: 283 }, (_, nr) => `Property ${nr} of many, with a long name`);
  for (const name of names) await addProperty('rich_text', name);
  const { properties } = (await pipeline.story.product.databases()).get('Sprint board') ?? { properties: [] };
  expect(properties.length).toBeGreaterThanOrEqual(300);
  const watched = names.slice(0, 100);
  await pipeline.rule({ watchedProperties: watched, displayedFields: watched });
  await edit(Object.fromEntries(names.map((name, nr) => [name, `${nr} ${'x'.repeat(400)}`])));
  expect(await pipeline.cards()).toHaveLength(1);
  expect(await news()).toContain('Property 0 of many, with a long name: empty → 0 xxx');
});

test('the 26th and later relations are compared too', async () => {
  const docs: string[] = [];
  for (let nr = 0; nr < 31; nr += 1) {
    const row = { database: 'Design docs', properties: { Title: `Chapter ${nr}` } };
    docs.push((await control('POST', '/rows', row)).id);
  }
  await pipeline.idle();
  await pipeline.rule({ watchedProperties: ['Design docs'] });
  await edit({ 'Design docs': docs.slice(0, 30) });
  expect(await news()).toContain('30 linked pages');
  // The number of linked pages and the first 25 stay the same.
  await edit({ 'Design docs': [...docs.slice(0, 29), docs[30]] });
  expect(await pipeline.cards()).toHaveLength(2);
  await edit({ 'Design docs': [...docs.slice(0, 29), docs[30]].reverse() });
  expect(await pipeline.cards()).toHaveLength(2);
  expect((await pipeline.outcomes()).at(-1)).toBe('unchanged');
  expect(await db().pageTurn.count()).toBe(0);
});

test.each(['a..b', '...~', '..%2E%2e'])(
  'they are also read if the id of their property is %s',
  async (id) => {
    const people = Array.from({ length: 27 }, () => randomUUID());
    for (const each of people)
      await control('POST', '/members', { id: each, name: each, database: 'Sprint board' });
    const name = `People of ${id}`;
    await addProperty('people', name, id);
    await pipeline.rule({ watchedProperties: [name] });
    await edit({ [name]: people.slice(0, 26) });
    await edit({ [name]: [...people.slice(0, 25), people[26]] });
    expect(await pipeline.cards()).toHaveLength(2);
    expect(await pipeline.outcomes()).toEqual(['posted', 'posted']);
    // Whoever is assigned in Discord joins all of them.
    const { accessToken } = openNotionTokens(await db().notionWorkspace.findFirstOrThrow());
    const page = await getPage(accessToken, await pipeline.pageId(PAGE));
    const joined = [...people.slice(0, 25), people[26]].map((each) => ({ id: each }));
    expect(await listPeopleOf(accessToken, page, id)).toEqual(joined);
  },
);

test('a long value whose property is deleted while its page is read does not hide the other changes', async () => {
  const people = Array.from({ length: 26 }, () => randomUUID());
  for (const each of people)
    await control('POST', '/members', { id: each, name: each, database: 'Sprint board' });
  await addProperty('people', 'Crew');
  await pipeline.rule({ watchedProperties: ['Crew', 'Status'] });
  await edit({ Crew: people, Status: 'Backlog' });
  const { answers, end } = await HeldAnswers.begin();
  answers.hold(/^GET \/v1\/pages\/[^/]+$/);
  await pipeline.edit(PAGE, { Status: 'Done' });
  await eventually(async () => answers.isHolding);
  const deletion = { action: 'delete property', property: 'Crew' };
  await control('POST', '/databases/schema', { database: 'Sprint board', edit: deletion });
  answers.release();
  await pipeline.idle();
  end();
  expect(await news()).toContain('Status: Backlog → Done');
  expect(await pipeline.outcomes()).toEqual(['posted', 'posted']);
});
