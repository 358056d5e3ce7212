import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { startConnectedProduct } from '@/lib/testing/product';
import { seedId } from '../../../sandbox/notion/seed/seed-id';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let roles: { id: string; name: string }[];

beforeAll(async () => {
  story = await startConnectedProduct();
  ({ roles } = (await story.product.call('mira', 'GET', '/api/app/discord/server')).body);
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  await db().rule.deleteMany();
  await db().callCount.deleteMany();
});

const JONAS = '5b1f0c3a-1111-4d0e-9a01-000000000102';
const roleId = (name: string) => roles.find((role) => role.name === name)?.id ?? '';
const create = (changes: Record<string, unknown> = {}) =>
  story.product.call('mira', 'POST', '/api/app/rules', {
    databaseId: story.board.dataSourceId,
    eventType: 'page_updated',
    channelId: story.channel('tasks'),
    watchedProperties: ['Status'],
    ...changes,
  });
const list = async () => (await story.product.call('mira', 'GET', '/api/app/rules')).body;
const exported = async () => (await story.product.call('mira', 'GET', '/api/app/rules/export')).body;
const bring = (file: unknown, apply = false) =>
  story.product.call('mira', 'POST', '/api/app/rules/import', { file, apply });

/** The file as it would come from another account: with other ids and the same names. */
async function foreign() {
  const text = JSON.stringify(await exported());
  const known = [
    story.board.dataSourceId,
    story.channel('tasks'),
    story.property('Status'),
    story.property('Priority'),
    JONAS,
    roleId('Engineers'),
  ];
  const [rule] = await db().rule.findMany();
  return JSON.parse(
    [...known, ...(rule?.statusTo ?? [])].reduce(
      (all, id, at) => all.replaceAll(`"${id}"`, `"90000000000000000${at}"`),
      text,
    ),
  );
}

const full = () => ({
  name: 'Release radar',
  statusTo: ['Done'],
  displayedFields: ['Priority'],
  actions: ['set:Priority', 'comment'],
  authors: { mode: 'only', people: [JONAS], bots: false },
  conditions: {
    match: 'any',
    items: [
      { propertyId: 'Priority', operator: 'is', values: ['High', 'Low'] },
      { propertyId: 'Status', operator: 'changed', from: ['Backlog'], to: ['Done'] },
      { propertyId: 'Assignee', operator: 'contains', values: [JONAS] },
    ],
  },
  mentions: { people: 'none', roleIds: [roleId('Engineers')], userIds: ['208917000000000102'] },
});

test('an export has every rule with the names of what it refers to', async () => {
  await create({ ...full() });
  await create({ eventType: 'page_created', watchedProperties: [] });
  const answer = await story.product.call('mira', 'GET', '/api/app/rules/export');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="pagewire-rules.json"');
  expect(answer.body).toMatchObject({
    version: 1,
    rules: [
      {
        name: 'Release radar',
        databaseId: story.board.dataSourceId,
        databaseName: 'Sprint board',
        channelName: 'tasks',
        enabled: true,
        watchedProperties: [story.property('Status')],
        names: {
          properties: { [story.property('Status')]: 'Status', [story.property('Priority')]: 'Priority' },
          people: { [JONAS]: 'Jonas Brandt' },
          roles: { [roleId('Engineers')]: 'Engineers' },
        },
      },
      { name: null, eventType: 'page_created' },
    ],
  });
  expect(Object.values(answer.body.rules[0].names.statuses)).toEqual(['Done']);
});

test('what was exported is imported as it was, on and off', async () => {
  const on = (await create(full())).body;
  const off = (await create({ watchedProperties: ['Name'] })).body;
  await story.product.call('mira', 'PUT', `/api/app/rules/${off.id}`, { enabled: false });
  const before = await list();
  const file = await exported();
  await db().rule.deleteMany();
  const items = [
    { name: 'Release radar', fits: true, problems: [] },
    { name: 'Sprint board → #tasks', fits: true, problems: [] },
  ];
  expect(await bring(file)).toMatchObject({ status: 200, body: { items, created: 0 } });
  expect(await list()).toEqual([]);
  expect(await bring(file, true)).toMatchObject({ status: 200, body: { items, created: 2 } });
  const anyId = (rules: { id: string }[]) => rules.map((rule) => ({ ...rule, id: '' }));
  expect(anyId(await list())).toEqual(anyId(before));
  expect((await list())[0].id).not.toBe(on.id);
});

test('a preview says which rules exist already, also under another name or where there is no room', async () => {
  await create(full());
  const file = await exported();
  await create({ eventType: 'page_created', watchedProperties: [] });
  const [first] = await list();
  await db().rule.updateMany({ where: { id: first.id }, data: { name: 'Another name', enabled: false } });
  const [known] = file.rules;
  const other = { ...known, watchedProperties: ['Priority'], statusTo: [], name: 'Other' };
  const existing = async (...rules: unknown[]) =>
    (await bring({ version: 1, rules })).body.items.map(({ exists }: { exists?: true }) => exists ?? false);
  expect(await existing(known, other)).toEqual([true, false]);
  for (let more = 0; more < 8; more += 1) await create();
  expect(await existing(other, known)).toEqual([false, true]);
});

test('where the ids differ, the names decide', async () => {
  const made = (await create(full())).body;
  const file = await foreign();
  expect(JSON.stringify(file)).not.toContain(story.board.dataSourceId);
  await db().rule.deleteMany();
  expect(await bring(file, true)).toMatchObject({ status: 200, body: { created: 1 } });
  expect(await list()).toEqual([{ ...made, id: expect.any(String) }]);
});

test('a channel without a name in the file goes by its id', async () => {
  await create();
  const file = await exported();
  Object.assign(file.rules[0], { channelId: '90000000000000000', channelName: null });
  const { items } = (await bring(file)).body;
  expect(items).toEqual([
    {
      name: 'Sprint board → #90000000000000000',
      fits: false,
      problems: ['There is no channel "90000000000000000" here.'],
    },
  ]);
});

test('rules for comments fit only where comments may be read', async () => {
  await create({ eventType: 'comment_created', watchedProperties: [] });
  const file = await exported();
  await db().rule.deleteMany();
  const settings = (capabilities: string[]) =>
    story.product.control('notion', 'PATCH', '/settings', { capabilities });
  await settings(['read_content']);
  const [refused] = (await bring(file)).body.items;
  await settings(['read_content', 'read_comments']);
  expect(refused).toMatchObject({
    fits: false,
    problems: [expect.stringMatching(/^eventType: Notion does not let Pagewire read comments\./)],
  });
  expect((await bring(file, true)).body).toMatchObject({ items: [{ fits: true }], created: 1 });
});

test('a condition on a page of another workspace does not fit', async () => {
  const page = '11111111-2222-4333-8444-555555555555';
  const item = { propertyId: 'Design docs', operator: 'does_not_contain', values: [page] };
  await create({ conditions: { match: 'all', items: [item] } });
  const [own, file] = [await exported(), await foreign()];
  await db().rule.deleteMany();
  expect((await bring(own)).body.items).toMatchObject([{ fits: true, problems: [] }]);
  expect((await bring(file)).body.items).toMatchObject([
    {
      fits: false,
      problems: ['A condition names a page in "Design docs", which is in another workspace.'],
    },
  ]);
});

test('an id that is called as what every object has is not taken for one with a name', async () => {
  await create({ name: 'Fits', displayedFields: ['Priority'] });
  const file = await exported();
  file.rules[0].displayedFields = ['constructor'];
  await db().rule.deleteMany();
  expect((await bring(file)).body.items).toEqual([
    { name: 'Fits', fits: false, problems: ['There is no property "constructor" in Sprint board.'] },
  ]);
});

test('what does not fit is named line by line, and nothing is half imported', async () => {
  await create({ name: 'Fits' });
  await create(full());
  const file = await foreign();
  await db().rule.deleteMany();
  const [good, bad] = file.rules;
  const lost = JSON.parse(
    JSON.stringify(bad).replaceAll('"Priority"', '"Gone"').replaceAll('"Engineers"', '"Leads"'),
  );
  const problems = [
    expect.stringMatching(/^The bot cannot ping @Leads in #tasks\./),
    'There is no property "Gone" in Sprint board.',
  ];
  const homeless = {
    ...good,
    name: null,
    databaseId: 'x',
    databaseName: 'Nowhere',
    channelId: 'y',
    channelName: 'void',
  };
  const items = [
    { name: 'Fits', fits: true, problems: [] },
    { name: 'Release radar', fits: false, problems },
    {
      name: 'Nowhere → #void',
      fits: false,
      problems: ['There is no database "Nowhere" here.', 'There is no channel "void" here.'],
    },
  ];
  const broken = { version: 1, rules: [good, lost, homeless] };
  expect((await bring(broken)).body).toEqual({ items, created: 0 });
  expect(await bring(broken, true)).toMatchObject({ status: 409, body: { code: 'conflict', items } });
  expect(await list()).toEqual([]);
});

test('more rules than the plan has are not imported in part', async () => {
  await create();
  const file = await exported();
  const many = { version: 1, rules: Array(10).fill(file.rules[0]) };
  const { status, body } = await bring(many, true);
  expect(status).toBe(409);
  expect(body.items.map(({ fits }: { fits: boolean }) => fits)).toEqual([...Array(9).fill(true), false]);
  expect(body.items[9].problems).toEqual(['Your plan has 10 rules, and there is no room for this one.']);
  expect(await list()).toHaveLength(1);
});

test('an import that is sent again creates its rules once', async () => {
  await create(full());
  await create({ eventType: 'page_created', watchedProperties: [] });
  const file = await exported();
  const send = (request: string, brought = file) =>
    story.product.call('mira', 'POST', `/api/app/rules/import?request=${request}`, {
      file: brought,
      apply: true,
    });
  const request = randomUUID();
  const first = await send(request);
  expect(first).toMatchObject({ status: 200, body: { created: 2 } });
  expect(await send(request)).toEqual({ ...first, headers: expect.anything() });
  expect(await list()).toHaveLength(4);
  expect(await send(randomUUID())).toMatchObject({ status: 200, body: { created: 2 } });
  expect(await list()).toHaveLength(6);
  // Sent again when its own rules have taken the last room, it is still told that they are there.
  const [rule] = file.rules;
  const last = randomUUID();
  const four = { version: 1, rules: Array(4).fill(rule) };
  for (let time = 0; time < 2; time += 1) {
    expect(await send(last, four)).toMatchObject({ status: 200, body: { created: 4 } });
  }
  expect(await list()).toHaveLength(10);
  expect((await send('1')).body.error).toBe('request must be a UUID');
});

describe('is refused with a sentence, and stores nothing', () => {
  const NOT_OURS = 'file is not one that Pagewire exported';
  test.each<[string, unknown, number, string]>([
    ['the file of another program', { name: 'package', version: '1.0.0' }, 400, NOT_OURS],
    ['a list', [], 400, NOT_OURS],
    ['nothing', undefined, 400, NOT_OURS],
    ['a later version', { version: 2, rules: [] }, 400, NOT_OURS],
    ['a file without rules', { version: 1 }, 400, NOT_OURS],
    ['something else as a rule', { version: 1, rules: ['x'] }, 400, 'file.rules.0 must be an object'],
    [
      'a field that no rule has',
      { version: 1, rules: [{ colour: 'green' }] },
      400,
      'Unrecognized key: "colour"',
    ],
    [
      'a rule without a channel',
      { version: 1, rules: [{ eventType: 'page_created', databaseId: 'a', databaseName: 'A' }] },
      400,
      'file.rules has a rule without channelId and channelName',
    ],
    ['too many rules', { version: 1, rules: Array(101).fill({}) }, 400, 'file.rules'],
    ['2 MB', { version: 1, rules: ['x'.repeat(2 * 1024 * 1024)] }, 413, 'The request is larger than'],
  ])('%s', async (_, file, status, sentence) => {
    const answer = await bring(file, true);
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(sentence);
    expect(await db().rule.count()).toBe(0);
  });
});

test('an empty export is imported as nothing, and an account without connections says so', async () => {
  expect((await bring(await exported(), true)).body).toEqual({ items: [], created: 0 });
  const file = { version: 1, rules: [] };
  const answer = await story.product.call('vera', 'POST', '/api/app/rules/import', { file });
  expect(answer).toMatchObject({ status: 409, body: { code: 'not_connected' } });
});

test('a rule to people comes back with its person, or its property, by name', async () => {
  const discordUserId = '208917000000000101';
  await create({ channelId: null, destination: { kind: 'person', discordUserId } });
  await create({ channelId: null, destination: { kind: 'people', propertyId: 'Assignee' } });
  const file = await exported();
  const propertyId = story.property('Assignee');
  expect(file.rules[0]).toMatchObject({
    channelId: null,
    names: { users: { [discordUserId]: 'Mira Castellan' } },
  });
  expect(file.rules[1].names.properties).toMatchObject({ [propertyId]: 'Assignee' });
  const text = JSON.stringify(file)
    .replaceAll(discordUserId, '900000000000000001')
    .replaceAll(`"${propertyId}"`, '"other"');
  await db().rule.deleteMany();
  const { body } = await bring(JSON.parse(text), true);
  expect(body).toMatchObject({ created: 2 });
  const places = (await list()).map(({ place }: { place: string }) => place).sort();
  expect(places).toEqual(['Mira Castellan', 'whoever is in Assignee']);
  const unknown = text.replaceAll('Mira Castellan', 'Nobody here');
  const { items } = (await bring(JSON.parse(unknown))).body;
  expect(items[0].problems).toEqual(['There is no linked person "Nobody here" here.']);
});

test('a rule that names people whom the workspace does not list comes back from its own file', async () => {
  const guest = seedId('person:felix');
  const item = { propertyId: 'Assignee', operator: 'does_not_contain', values: [guest] };
  const conditions = { match: 'all', items: [item] };
  const authors = { mode: 'only', people: [guest], bots: false };
  expect((await create({ conditions, authors })).status).toBe(201);
  const file = await exported();
  await db().rule.deleteMany();
  await db().notionUser.deleteMany({ where: { isGuest: true } });
  expect((await bring(file, true)).body).toMatchObject({ created: 1 });
  expect((await list())[0]).toMatchObject({
    conditions: { items: [{ values: [guest] }] },
    authors: { people: [guest] },
  });
});
