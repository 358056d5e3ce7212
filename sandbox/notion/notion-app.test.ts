import { isFullDataSource, isFullPage } from '@notionhq/client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connect, type NotionStage, startNotion } from './start-notion';

let stage: NotionStage;
let client: ReturnType<NotionStage['client']>;
let botId: string;

beforeAll(async () => {
  stage = await startNotion();
});
afterAll(() => stage.stop());
beforeEach(async () => {
  stage.store.reset();
  stage.faults.clear();
  const tokens = await connect(stage, 'mira', ['Sprint board', 'Design docs']);
  client = stage.client(tokens.access_token);
  botId = tokens.bot_id;
});

async function sprintBoard() {
  const found = await client.search({
    query: 'sprint',
    filter: { property: 'object', value: 'data_source' },
  });
  const [first] = found.results;
  if (first?.object !== 'data_source' || !isFullDataSource(first)) throw new Error('no sprint board');
  return first;
}

async function golem() {
  const { id } = await sprintBoard();
  const filter = { property: 'Name', title: { contains: 'GOLEM' } };
  const [page] = (await client.dataSources.query({ data_source_id: id, filter })).results;
  if (page?.object !== 'page' || !isFullPage(page)) throw new Error('no golem');
  return page;
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'fine',
    (error) => error.code,
  );

describe('with the official client', () => {
  test('search finds the shared databases and nothing else', async () => {
    const { results } = await client.search({ filter: { property: 'object', value: 'data_source' } });
    const names = results.map((each) => ('title' in each ? each.title[0]?.plain_text : ''));
    expect(names.toSorted()).toEqual(['Design docs', 'Sprint board']);
  });

  test('a list that changes while it is read may name an entry twice', async () => {
    await stage.control('PATCH', '/settings', { repeatsEntries: true });
    const { results } = await client.search({ filter: { property: 'object', value: 'data_source' } });
    expect(results.at(-1)?.id).toBe(results[0]?.id);
    const people = (await client.users.list({})).results.map(({ id }) => id);
    expect(people.at(-1)).toBe(people[0]);
  });

  test('a data source has its schema under encoded ids, a database only names its data sources', async () => {
    const source = await sprintBoard();
    expect(source.properties['Status']).toMatchObject({ id: 'Z%3ClH', type: 'status' });
    const status = source.properties['Status'];
    expect(status?.type === 'status' && status.status.groups.map((each) => each.name)).toEqual([
      'To-do',
      'In progress',
      'Complete',
    ]);
    const parent = source.parent as { database_id: string };
    const database = await client.databases.retrieve({ database_id: parent.database_id });
    expect(database).toMatchObject({ data_sources: [{ id: source.id, name: 'Sprint board' }] });
    expect(database).not.toHaveProperty('properties');
    expect(await code(client.databases.retrieve({ database_id: source.id }))).toBe('object_not_found');
  });

  test('a page carries every property in its real shape', async () => {
    const page = await golem();
    expect(page.url).toBe(`${stage.url}/p/${page.id.replaceAll('-', '')}`);
    expect(page.last_edited_time).toMatch(/:00\.000Z$/);
    expect(page).not.toHaveProperty('archived');
    expect(page.properties).toMatchObject({
      Status: { status: { name: 'In progress', color: 'blue' } },
      Assignee: { people: [{ name: 'Jonas Brandt', person: { email: 'jonas@lanternworks.example' } }] },
      Points: { formula: { type: 'number', number: 24 } },
      'Docs reviewed': { rollup: { type: 'date', function: 'latest_date', date: { end: null } } },
      ID: { unique_id: { prefix: 'EMB' } },
      Mockups: { files: [{ type: 'external', name: 'golem-arena.png' }] },
      'Design docs': { has_more: false },
    });
  });

  test('queries filter, sort and page', async () => {
    const { id } = await sprintBoard();
    const open = await client.dataSources.query({
      data_source_id: id,
      filter: {
        and: [
          { property: 'Status', status: { does_not_equal: ['Done', 'Cut'] } },
          {
            or: [
              { property: 'Priority', select: { equals: 'Critical' } },
              { property: 'Due date', date: { is_empty: true } },
            ],
          },
        ],
      },
      sorts: [{ property: 'Name', direction: 'descending' }],
      filter_properties: ['title'],
    });
    const titles = open.results.map((each) => {
      const name = 'properties' in each ? each.properties['Name'] : undefined;
      expect(each).toHaveProperty('properties', { Name: expect.anything() });
      return name?.type === 'title' && Array.isArray(name.title) ? name.title[0]?.plain_text : '';
    });
    expect(titles).toEqual([
      'Save slots lose the play time',
      'Merchant dialogue for the salt market',
      'Boss fight: ember golem',
    ]);
    const first = await client.dataSources.query({ data_source_id: id, page_size: 4 });
    const cursor = first.next_cursor ?? '';
    const second = await client.dataSources.query({
      data_source_id: id,
      page_size: 100,
      start_cursor: cursor,
    });
    expect([first.has_more, first.results.length, second.results.length]).toEqual([true, 4, 6]);
  });

  test('"me" and recent edits can be asked for', async () => {
    const { id } = await sprintBoard();
    const mine = { property: 'Assignee', people: { contains: 'me' } };
    expect((await client.dataSources.query({ data_source_id: id, filter: mine })).results).toHaveLength(1);
    const since = new Date(Date.now() - 10 * 3_600_000).toISOString();
    const recent = { timestamp: 'last_edited_time' as const, last_edited_time: { on_or_after: since } };
    expect((await client.dataSources.query({ data_source_id: id, filter: recent })).results).toHaveLength(2);
  });

  test('a created page gets its number, the first status and the new select option', async () => {
    const { id } = await sprintBoard();
    const page = await client.pages.create({
      parent: { data_source_id: id },
      properties: {
        Name: { title: [{ text: { content: 'Salt golem' } }] },
        'kQ%7Dw': { select: { name: 'Someday' } },
      },
      children: [{ paragraph: { rich_text: [{ text: { content: 'A cousin.' } }] } }],
    });
    expect(page).toMatchObject({
      created_by: { id: botId },
      properties: { Status: { status: { name: 'Backlog' } }, ID: { unique_id: { number: 11 } } },
    });
    const source = await client.dataSources.retrieve({ data_source_id: id });
    expect(JSON.stringify(source.properties['Priority'])).toContain('Someday');
    const blocks = await client.blocks.children.list({ block_id: page.id });
    expect(blocks.results).toMatchObject([{ paragraph: { rich_text: [{ plain_text: 'A cousin.' }] } }]);
  });

  test('an update replaces people, may be made by property id and can trash the page', async () => {
    const page = await golem();
    const jonas = page.properties['Assignee'];
    expect(jonas?.type === 'people' && jonas.people).toHaveLength(1);
    const users = await client.users.list({});
    const priya = users.results.find((each) => each.name === 'Priya Raman');
    const updated = await client.pages.update({
      page_id: page.id,
      properties: { 'a%5Bbc': { people: [{ id: priya?.id ?? '' }] }, Status: { status: { name: 'Done' } } },
    });
    expect(updated).toMatchObject({
      last_edited_by: { id: botId },
      properties: { Assignee: { people: [{ id: priya?.id }] }, Status: { status: { name: 'Done' } } },
    });
    expect(await client.pages.update({ page_id: page.id, in_trash: true })).toMatchObject({ in_trash: true });
    const properties = { Estimate: { number: 1 } };
    expect(await code(client.pages.update({ page_id: page.id, properties }))).toBe('validation_error');
  });

  test('long lists of references are cut at 25, and the property endpoint returns them completely', async () => {
    const page = await golem();
    const docs = await client.search({
      filter: { property: 'object', value: 'data_source' },
      query: 'design',
    });
    const docsId = docs.results[0]?.id ?? '';
    const made = [];
    for (let index = 0; index < 30; index += 1)
      made.push(await client.pages.create({ parent: { data_source_id: docsId }, properties: {} }));
    const relation = made.map(({ id }) => ({ id }));
    const updated = await client.pages.update({
      page_id: page.id,
      properties: { 'Design docs': { relation } },
    });
    const short = isFullPage(updated) ? updated.properties['Design docs'] : undefined;
    expect(short).toMatchObject({ has_more: true });
    expect(short?.type === 'relation' && short.relation).toHaveLength(25);
    const full = await client.pages.properties.retrieve({ page_id: page.id, property_id: 'dD%25r' });
    expect(full).toMatchObject({ object: 'list', has_more: false, property_item: { id: 'dD%25r' } });
    expect(full.object === 'list' && full.results).toHaveLength(30);
    const number = await client.pages.properties.retrieve({ page_id: page.id, property_id: 'N_ji' });
    expect(number).toMatchObject({ object: 'property_item', number: 8 });
  });

  test('users leave out guests and include bots; me is the own bot', async () => {
    const { results } = await client.users.list({});
    const names = results.map((each) => each.name);
    expect(names).toContain('Build herald');
    expect(names).not.toContain('Felix Amsel');
    expect(await client.users.me({})).toMatchObject({
      id: botId,
      type: 'bot',
      bot: { workspace_name: 'Lantern Works', owner: { user: { name: 'Mira Castellan' } } },
    });
  });

  test('the other workspace and unshared databases stay invisible', async () => {
    const vera = await connect(stage, 'vera', ['Night market']);
    const page = await golem();
    expect(await code(stage.client(vera.access_token).pages.retrieve({ page_id: page.id }))).toBe(
      'object_not_found',
    );
    await stage.control('POST', '/authorizations/unshare', { person: 'mira', database: 'Sprint board' });
    expect(await code(client.pages.retrieve({ page_id: page.id }))).toBe('object_not_found');
    await stage.control('POST', '/authorizations/revoke', { person: 'mira' });
    expect(await code(client.pages.retrieve({ page_id: page.id }))).toBe('unauthorized');
  });

  test('relations to unshared databases are left out, and so are rollups over them', async () => {
    await stage.control('POST', '/authorizations/unshare', { database: 'Design docs' });
    const { properties } = await golem();
    expect(Object.keys(properties)).not.toContain('Design docs');
    expect(Object.keys(properties)).not.toContain('Docs reviewed');
  });

  test('search waits for the index when told to', async () => {
    await stage.control('PATCH', '/settings', { indexDelayMs: 60_000 });
    expect((await client.search({})).results).toHaveLength(0);
    stage.advance(61_000);
    expect((await client.search({})).results.length).toBeGreaterThan(0);
  });
});
