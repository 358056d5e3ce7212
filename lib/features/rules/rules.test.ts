import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { startConnectedProduct } from '@/lib/testing/product';
import { readNotionAnew } from '@/lib/testing/read-notion-anew';
import { whileLocked } from '@/lib/testing/while-locked';
import { ruleTermsSchema } from '../matching/schema';
import { describeRule } from './queries';

let roles: { id: string; name: string; isMentionable: boolean }[];
let story: Awaited<ReturnType<typeof startConnectedProduct>>;

beforeAll(async () => {
  story = await startConnectedProduct();
  ({ roles } = (await story.product.call('mira', 'GET', '/api/app/discord/server')).body);
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  await db().callCount.deleteMany();
  await db().rule.deleteMany();
});

const property = (name: string) => story.property(name);
function input(changes: Record<string, unknown> = {}) {
  return {
    databaseId: story.board.dataSourceId,
    dbType: 'task',
    eventType: 'page_updated',
    channelId: story.channel('tasks'),
    watchedProperties: [property('Status')],
    statusTo: [],
    displayedFields: [],
    ...changes,
  };
}
const create = (changes?: Record<string, unknown>) =>
  story.product.call('mira', 'POST', '/api/app/rules', input(changes));
const roleId = (name: string) => roles.find((role) => role.name === name)?.id ?? '';
const list = async () => (await story.product.call('mira', 'GET', '/api/app/rules')).body;

test('a new rule is on, shows names where the contract wants names, and stands first in the list', async () => {
  await create({ eventType: 'page_created' });
  const made = await create({
    statusTo: ['Done', 'In review'],
    watchedProperties: [property('Status'), property('Name')],
    displayedFields: [property('Priority'), property('Due date')],
  });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    ...ruleTermsSchema.parse({ eventType: 'page_updated' }),
    actions: ['assign_me', 'status'],
    id: expect.any(String),
    source: { kind: 'database', databaseId: story.board.dataSourceId },
    sourceName: 'Sprint board',
    pageTitle: null,
    sourceIcon: expect.any(String),
    sourceUrl: expect.any(String),
    databaseId: story.board.dataSourceId,
    databaseName: 'Sprint board',
    databaseType: 'task',
    dbType: 'task',
    channelId: story.channel('tasks'),
    channelName: 'tasks',
    place: '#tasks',
    enabled: true,
    watchedProperties: [property('Status'), 'title'],
    statusTo: ['Done', 'In review'],
    displayedFields: [property('Priority'), property('Due date')],
    watching: 'Status or Name change while Status is Done or In review',
    lastDelivery: null,
    health: { state: 'idle', reason: null, fix: null, until: null },
    problems: [],
  });
  expect((await list()).map(({ id }: { id: string }) => id)[0]).toBe(made.body.id);
});

test('properties and options may come by name or by id, and count once', async () => {
  const properties = await story.product.call(
    'mira',
    'GET',
    `/api/app/notion/databases/${story.board.dataSourceId}/properties`,
  );
  const done = properties.body.properties
    .find(({ name }: { name: string }) => name === 'Status')
    .options.find(({ name }: { name: string }) => name === 'Done').id;
  const made = await create({
    watchedProperties: ['Status', property('Status'), 'Name'],
    statusTo: [done, 'Done'],
    displayedFields: ['Priority', property('Priority')],
  });
  expect(made.body).toMatchObject({
    watchedProperties: [property('Status'), 'title'],
    statusTo: ['Done'],
    displayedFields: [property('Priority')],
  });
  const [row] = await db().rule.findMany();
  expect(row?.statusTo).toEqual([done]);
});

test('a rule for new pages keeps neither watched properties nor a status filter', async () => {
  const made = await create({ eventType: 'page_created', statusTo: ['Done'] });
  expect(made).toMatchObject({ status: 201, body: { watchedProperties: [], statusTo: [] } });
});

test('a rule has the actions that were chosen, by name or id, or else those of tasks', async () => {
  const actionsFor = async (changes: Record<string, unknown>) => {
    const { status, body } = await create(changes);
    expect([status, body.error]).toEqual([201, undefined]);
    const { actions } = await db().rule.findUniqueOrThrow({ where: { id: body.id } });
    return { answered: body.actions, stored: actions };
  };
  const due = `set:${property('Due date')}`;
  expect(await actionsFor({ actions: ['done', 'set:Due date', due, 'comment'] })).toEqual({
    answered: ['done', due, 'comment'],
    stored: ['done', due, 'comment'],
  });
  const ofTasks = { answered: ['assign_me', 'status'], stored: null };
  expect(await actionsFor({})).toEqual(ofTasks);
  expect(await actionsFor({ actions: ['assign_me', 'status'] })).toEqual(ofTasks);
  expect(await actionsFor({ actions: [] })).toEqual({ answered: [], stored: [] });
  expect(await actionsFor({ actions: ['assign_me', 'comment'] })).toMatchObject({
    answered: ['assign_me', 'comment'],
  });
  const docs = { databaseId: story.docs.dataSourceId, watchedProperties: ['title'], dbType: 'page' };
  expect(await actionsFor({ ...docs, actions: [] })).toEqual({ answered: [], stored: null });
  const workspace = { databaseId: undefined, dbType: undefined, watchedProperties: ['title'] };
  const everything = { ...workspace, source: { kind: 'workspace' } };
  expect(await actionsFor(everything)).toEqual(ofTasks);
  expect(await actionsFor({ ...everything, actions: ['assign_me', 'status'] })).toEqual(ofTasks);
  expect(await actionsFor({ ...everything, actions: ['comment'] })).toMatchObject({ answered: ['comment'] });
  const refused = await create({ ...everything, actions: ['done'] });
  expect(refused.status).toBe(400);
  expect(refused.body.error).toBe('actions: "done" needs a database as the source');
});

test.each([
  [{ watchedProperties: ['Mood'] }, 'watchedProperties: Sprint board has no property "Mood".'],
  [{ statusTo: ['Nowhere'] }, 'statusTo: "Status" has no option "Nowhere".'],
])('a rule for new pages may not name what does not exist: %j', async (changes, error) => {
  const made = await create({ eventType: 'page_created', ...changes });
  expect(made).toMatchObject({ status: 400, body: { error, code: 'invalid_input' } });
});

test('only a rule for new pages can post them at once', async () => {
  const [made, other] = [
    await create({ eventType: 'page_created', atOnce: true }),
    await create({ atOnce: true }),
  ];
  expect(made.body.atOnce).toBe(true);
  expect(other.body.atOnce).toBe(false);
  const wrong = await create({ eventType: 'page_created', atOnce: 'yes' });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('a rule keeps whom it pings, and the server tells the roles that can be', async () => {
  expect(roles.map(({ name, isMentionable }) => [name, isMentionable])).toEqual(
    expect.arrayContaining([
      ['Engineers', true],
      ['Leads', false],
    ]),
  );
  expect(roles.map(({ name }) => name)).not.toContain('@everyone');
  const mentions = {
    people: 'assignees',
    roleIds: [roleId('Engineers')],
    userIds: ['208917000000000102'],
  };
  const made = await create({ mentions });
  expect(made).toMatchObject({ status: 201, body: { mentions } });
});

test('a rule is called by its name where it has one', async () => {
  const made = await create({ name: '  Release\n radar ' });
  expect(made.body.name).toBe('Release radar');
  expect((await create({ name: ' ' })).body.name).toBeNull();
  const edit = await story.product.call('mira', 'PUT', `/api/app/rules/${made.body.id}`, input());
  expect(edit.body.name).toBeNull();
});

test.each([
  [{ name: 'x'.repeat(81) }, 'name must have at most 80 characters'],
  [{ name: 7 }, 'name must be a text of at most 80 characters, or null'],
  [{ colour: 'green' }, 'Unrecognized key: "colour"'],
  [{ size: 'tiny' }, 'size must be "full" or "compact"'],
  [{ rollUp: 'yes' }, 'rollUp must be true or false'],
])('%j is refused with a sentence that names the field', async (changes, error) => {
  expect(await create(changes)).toMatchObject({ status: 400, body: { error, code: 'invalid_input' } });
  expect(await list()).toEqual([]);
});

test('a field that does not exist is named also where another one is missing', async () => {
  const { eventType, ...rest } = input();
  const misspelt = await story.product.call('mira', 'POST', '/api/app/rules', {
    ...rest,
    eventtype: eventType,
  });
  expect(misspelt).toMatchObject({ status: 400, body: { error: 'Unrecognized key: "eventtype"' } });
  const { body: rule } = await create({});
  const toggle = { enabled: false, colour: 'green' };
  const refused = await story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, toggle);
  expect(refused).toMatchObject({ status: 400, body: { error: 'Unrecognized key: "colour"' } });
});

test('what a rule posts keeps its order beside names that are read from right to left', async () => {
  const { body } = await create({
    name: 'לוח',
    conditions: { match: 'all', items: [{ propertyId: 'Name', operator: 'contains', values: ['קרב'] }] },
  });
  const { accountId } = await db().rule.findUniqueOrThrow({ where: { id: body.id } });
  const said = await describeRule(accountId, body.id);
  expect(said).toMatch(/^\u2068לוח\u2069 \(.*: .*\u2068.*קרב.*\u2069.*\)$/);
  expect(body.watching).toMatch(/^[^\u2068]*\u2068[^\u2068]*קרב[^\u2068]*\u2069/);
});

test('the type of the database is read from Notion, whatever the call says', async () => {
  const docs = story.docs.dataSourceId;
  const made = await create({
    databaseId: docs,
    dbType: 'task',
    eventType: 'page_created',
    watchedProperties: [],
  });
  expect(made.body).toMatchObject({ databaseName: 'Design docs', databaseType: 'page', dbType: 'page' });
});

describe('the server refuses', () => {
  test.each<[string, () => Record<string, unknown>, number, string]>([
    [
      'a channel where the bot may not send',
      () => ({ channelId: story.channel('announcements') }),
      400,
      'channelId: The bot cannot post in #announcements: Send Messages is denied for @everyone in this channel.',
    ],
    [
      'a channel where the bot may not embed',
      () => ({ channelId: story.channel('watercooler') }),
      400,
      'channelId: The bot cannot post in #watercooler: Embed Links is denied for @everyone in this channel.',
    ],
    [
      'a hidden channel',
      () => ({ channelId: story.channel('leads') }),
      404,
      'channelId: The bot sees no such channel',
    ],
    [
      'a voice channel',
      () => ({ channelId: story.channel('Standup') }),
      404,
      'channelId: The bot sees no such channel',
    ],
    ['an unknown channel', () => ({ channelId: '1' }), 404, 'channelId: The bot sees no such channel'],
    ['an unknown database', () => ({ databaseId: 'x' }), 404, 'not shared with Pagewire'],
    [
      'a property that holds files, to watch',
      () => ({ watchedProperties: [property('Mockups')] }),
      400,
      'watchedProperties: "Mockups" holds files, which rules can neither watch nor show.',
    ],
    [
      'a property that holds files, to show',
      () => ({ displayedFields: ['Mockups'] }),
      400,
      'displayedFields: "Mockups" holds files',
    ],
    [
      'a property of another database',
      () => ({ watchedProperties: [story.docs.properties.find(({ id }) => id !== 'title')?.id] }),
      400,
      'watchedProperties: Sprint board has no property',
    ],
    [
      'no watched property',
      () => ({ watchedProperties: [] }),
      400,
      'watchedProperties: Please select at least one property to watch for page_updated events',
    ],
    [
      'a status filter without watching the status',
      () => ({ watchedProperties: [property('Priority')], statusTo: ['Done'] }),
      400,
      'statusTo: Watch "Status" to filter by status.',
    ],
    [
      'a role that the bot cannot ping',
      () => ({ mentions: { roleIds: [roleId('Leads')] } }),
      400,
      'mentions.roleIds: The bot cannot ping @Leads in #tasks.',
    ],
    [
      'everyone',
      () => ({ mentions: { roleIds: [story.guild.id] } }),
      400,
      'mentions.roleIds: Pagewire never pings @everyone.',
    ],
    [
      'an unknown role',
      () => ({ mentions: { roleIds: ['100000000000000000'] } }),
      400,
      'mentions.roleIds: The server has no role with the id "100000000000000000".',
    ],
    ['a role by its name', () => ({ mentions: { roleIds: ['Leads'] } }), 400, 'mentions.roleIds must be ids'],
    ['a person by name', () => ({ mentions: { userIds: ['mira'] } }), 400, 'mentions.userIds must be ids'],
    [
      '200 people to ping',
      () => ({ mentions: { userIds: Array(200).fill('208917000000000101') } }),
      400,
      'mentions.userIds may name at most 20 people',
    ],
    [
      'another choice of whom to ping',
      () => ({ mentions: { people: 'all' } }),
      400,
      'mentions.people must be "concerned", "assignees" or "none"',
    ],
    [
      'a property that is called as what every object has',
      () => ({ displayedFields: ['constructor'] }),
      400,
      'displayedFields: Sprint board has no property "constructor".',
    ],
    [
      'an unknown status',
      () => ({ statusTo: ['Shipped'] }),
      400,
      'statusTo: "Status" has no option "Shipped".',
    ],
    [
      'a status filter on a database without a status',
      () => ({ databaseId: story.docs.dataSourceId, watchedProperties: ['title'], statusTo: ['Done'] }),
      400,
      'statusTo: Design docs has no status property to filter by.',
    ],
    ['an unknown action', () => ({ actions: ['status', 'archive'] }), 400, 'but not "archive"'],
    ['an action without its property', () => ({ actions: ['set:'] }), 400, 'but not "set:"'],
    [
      'a number as the order of a summary',
      () => ({ eventType: 'summary', schedule: { every: 'day', at: '09:00', sort: 1 } }),
      400,
      'schedule.sort must have propertyId and direction',
    ],
    [
      'five actions',
      () => ({ actions: ['assign_me', 'assign', 'status', 'due', 'done'] }),
      400,
      'actions may have at most 4 entries',
    ],
    [
      'an action for an unknown property',
      () => ({ actions: ['set:Colour'] }),
      400,
      'actions: Sprint board has no property "Colour".',
    ],
    [
      'an action for a property that nobody can set',
      () => ({ actions: ['set:Mockups'] }),
      400,
      'actions: "Mockups" cannot be set from Discord: its type is files.',
    ],
    [
      'an action that needs a status',
      () => ({ databaseId: story.docs.dataSourceId, watchedProperties: ['title'], actions: ['done'] }),
      400,
      'actions: "done" needs a status, which Design docs does not have.',
    ],
  ])('%s', async (_, changes, status, sentence) => {
    const answer = await create(changes());
    expect(answer.status).toBe(status);
    expect(answer.body.error).toContain(sentence);
    expect(await list()).toEqual([]);
  });

  test('very many lists in lists as an action', async () => {
    const nested = '['.repeat(30_000) + ']'.repeat(30_000);
    const body = JSON.stringify(input({ actions: ['nested'] })).replace('"nested"', nested);
    const answer = await story.product.call('mira', 'POST', '/api/app/rules', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^actions may have/) },
    });
  });

  test('a database of somebody else', async () => {
    const foreign = (await story.product.databases()).get('Night market')?.dataSourceId;
    expect(await create({ databaseId: foreign })).toMatchObject({ status: 404 });
  });

  test('a rule of an account that has not connected both sides', async () => {
    const answer = await story.product.call('vera', 'POST', '/api/app/rules', input());
    expect(answer).toMatchObject({ status: 409, body: { error: 'No Discord server is connected.' } });
  });

  test('a rule while Notion does not answer', async () => {
    story.product.sandbox.context.faults.add({
      target: 'notion',
      kind: 'fail',
      match: 'GET /v1/data_sources',
      times: 1,
      status: 503,
      delayMs: 0,
    });
    expect(await create()).toMatchObject({ status: 502, body: { code: 'upstream_failed' } });
  });
});

test.each([
  ['does not answer', 503],
  ['does not accept the bot’s token', 401],
])('the last known channels are used while Discord %s', async (_, status) => {
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  const fault = {
    target: 'discord',
    kind: 'fail',
    match: '/guilds/',
    times: 0,
    status,
    delayMs: 0,
  } as const;
  story.product.sandbox.context.faults.add(fault);
  const [good, bad] = [await create(), await create({ channelId: story.channel('announcements') })];
  story.product.sandbox.context.faults.clear();
  await db().rateLimit.deleteMany();
  expect([good.status, bad.status]).toEqual([201, 400]);
});

test("an edit replaces the rule's terms and does not switch it on or off", async () => {
  const { body } = await create({ statusTo: ['Done'] });
  const path = `/api/app/rules/${body.id}`;
  await story.product.call('mira', 'PUT', path, { enabled: false });
  const docs = story.docs.dataSourceId;
  const edit = input({ databaseId: docs, watchedProperties: ['title'], channelId: story.channel('bugs') });
  const answer = await story.product.call('mira', 'PUT', path, edit);
  const edited = {
    ...body,
    source: { kind: 'database', databaseId: docs },
    sourceName: 'Design docs',
    sourceIcon: expect.any(String),
    sourceUrl: expect.any(String),
    databaseId: docs,
    databaseName: 'Design docs',
    databaseType: 'page',
    dbType: 'page',
    channelId: story.channel('bugs'),
    channelName: 'bugs',
    place: '#bugs',
    enabled: false,
    watchedProperties: ['title'],
    statusTo: [],
    actions: [],
    watching: 'Title changes',
    health: { ...body.health, state: 'off' },
  };
  expect(answer).toMatchObject({ status: 200, body: edited });
  expect(await list()).toEqual([edited]);
});

test('a refused edit changes nothing', async () => {
  const { body } = await create();
  const edit = input({ channelId: story.channel('announcements') });
  expect((await story.product.call('mira', 'PUT', `/api/app/rules/${body.id}`, edit)).status).toBe(400);
  expect(await list()).toEqual([body]);
});

test('a rule can be switched off and on, and shows it', async () => {
  const { body } = await create();
  const toggle = async (enabled: boolean) =>
    (await story.product.call('mira', 'PUT', `/api/app/rules/${body.id}`, { enabled })).body.enabled;
  expect([await toggle(false), await toggle(false), await toggle(true)]).toEqual([false, false, true]);
});

test('a rule can be made switched off, and an edit leaves the switch alone unless it names it', async () => {
  const { body } = await create({ enabled: false });
  expect(body).toMatchObject({ enabled: false, health: { state: 'off' } });
  const edit = async (changes: Record<string, unknown>) =>
    (await story.product.call('mira', 'PUT', `/api/app/rules/${body.id}`, input(changes))).body;
  expect(await edit({})).toMatchObject({ enabled: false });
  expect(await edit({ enabled: true })).toMatchObject({ enabled: true });
  const actions = await db().auditEntry.findMany({ where: { target: body.id }, orderBy: { id: 'asc' } });
  expect(actions.map(({ action }) => action)).toEqual([
    'rule.created',
    'rule.updated',
    'rule.updated',
    'rule.enabled',
  ]);
  const refused = await create({ enabled: 'no' });
  expect(refused).toMatchObject({ status: 400, body: { error: 'enabled must be true or false' } });
});

test('a rule that is switched off while an edit of it is stored stays off', async () => {
  const { body: found } = await story.product.call('mira', 'GET', '/api/app/notion/pages?query=golem');
  const source = { kind: 'page', pageId: found.pages[0].id, subpages: 'none' };
  const ofPage = { databaseId: undefined, dbType: undefined, watchedProperties: undefined, source };
  const { body } = await create(ofPage);
  const put = (sent: object) => story.product.call('mira', 'PUT', `/api/app/rules/${body.id}`, sent);
  const answers: ReturnType<typeof put>[] = [];
  // An edit stores the page between reading the rule and writing it.
  await whileLocked('lock table notion_page in share mode', async (blocked) => {
    answers.push(put(input({ ...ofPage, name: 'Edited' })));
    await blocked(1);
    answers.push(put({ enabled: false }));
    await Promise.race([blocked(2), answers[1]]);
  });
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  expect(await list()).toMatchObject([{ name: 'Edited', enabled: false }]);
});

test('a deleted rule is gone, and is not found a second time', async () => {
  const { body } = await create();
  const path = `/api/app/rules/${body.id}`;
  expect((await story.product.call('mira', 'DELETE', path)).status).toBe(200);
  expect((await story.product.call('mira', 'DELETE', path)).status).toBe(404);
  expect((await story.product.call('mira', 'PUT', path, { enabled: true })).status).toBe(404);
  expect(await list()).toEqual([]);
  const actions = await db().auditEntry.findMany({ where: { target: body.id }, orderBy: { id: 'asc' } });
  expect(actions.map(({ action }) => action)).toEqual(['rule.created', 'rule.deleted']);
});

test('channels and databases show how many rules use them', async () => {
  await create();
  await create({ eventType: 'page_created' });
  const server = (await story.product.call('mira', 'GET', '/api/app/discord/server')).body;
  const workspace = (await story.product.call('mira', 'GET', '/api/app/notion/workspace')).body;
  const used = (each: { name: string }[], name: string) => each.find((one) => one.name === name);
  expect(used(server.channels, 'tasks')).toMatchObject({ usedInRules: 2 });
  expect(used(workspace.databases, 'Sprint board')).toMatchObject({ usedInRules: 2 });
});

test('a renamed option keeps its place in the filter', async () => {
  await create({ statusTo: ['Cut'] });
  const edit = { action: 'rename option', property: 'Status', option: 'Cut', name: 'Dropped' };
  await story.product.control('notion', 'POST', '/databases/schema', { database: 'Sprint board', edit });
  await readNotionAnew();
  await story.product.call('mira', 'GET', '/api/app/notion/workspace');
  expect((await list())[0].statusTo).toEqual(['Dropped']);
});

test('a channel that vanished is shown without access, and its rule is kept', async () => {
  await create({ channelId: story.channel('art-review') });
  await story.product.control('discord', 'DELETE', `/channels/${story.channel('art-review')}`);
  await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  const { body } = await story.product.call('mira', 'GET', '/api/app/discord/server');
  expect(body.channels.at(-1)).toMatchObject({ name: 'art-review', botHasAccess: false, usedInRules: 1 });
  expect(await list()).toHaveLength(1);
});

test('disconnecting the server deletes its rules', async () => {
  await create();
  await story.product.call('mira', 'DELETE', '/api/app/discord/server');
  expect(await list()).toEqual([]);
});
