import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CardStory } from '@/lib/testing/card-story';
import { Pipeline } from '@/lib/testing/pipeline';
import { PEOPLE } from '../../../sandbox/people';

const GOLEM = 'Boss fight: ember golem';
const HERALD = 'build-herald';
const notionId = (key: string) => PEOPLE.find((person) => person.key === key)?.notionId ?? '';

let story: CardStory;
let pipeline: Pipeline;

beforeAll(async () => {
  story = await CardStory.start();
  pipeline = new Pipeline(story.connected);
});
afterAll(() => story.product.stop());
beforeEach(async () => {
  await pipeline.idle();
  await pipeline.clear();
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
});

/** Why a rule posted nothing, for each event that it skipped. */
async function reasons(ruleId: string): Promise<string[]> {
  const { body } = await story.product.call(
    'mira',
    'GET',
    `/api/app/rules/${ruleId}/deliveries?show=skipped`,
  );
  return body.deliveries.map(({ reason }: { reason: string }) => reason);
}

const LEFT_OUT = 'The rule leaves out what this person or bot does.';

describe.each<[string, Record<string, unknown>, string[]]>([
  ['anyone', {}, ['mira', 'jonas', HERALD]],
  ['people', { bots: false }, ['mira', 'jonas']],
  ['one person', { mode: 'only', people: [notionId('jonas')], bots: false }, ['jonas']],
  ['everybody but one', { mode: 'except', people: [notionId('jonas')] }, ['mira', HERALD]],
])('a rule for %s', (_, authors, posted) => {
  test('posts what they change, and says of the rest that it leaves it out', async () => {
    const rule = await pipeline.rule({ authors });
    for (const [as, status] of [
      ['mira', 'In progress'],
      ['jonas', 'In review'],
      [HERALD, 'Done'],
    ] as const) {
      await pipeline.edit(GOLEM, { Status: status }, as);
      await pipeline.idle();
    }
    expect(await pipeline.cards()).toHaveLength(posted.length);
    expect(await reasons(rule.id)).toEqual(Array(3 - posted.length).fill(LEFT_OUT));
  });
});

test('a change whose event comes after that of somebody else counts as the work of whoever made it', async () => {
  const watchedProperties = ['Status', 'Estimate'].map((name) => pipeline.story.property(name));
  const authors = { mode: 'only', people: [notionId('mira')], bots: false };
  await pipeline.prepare(GOLEM, { Estimate: 3 });
  await pipeline.rule({ authors, watchedProperties });
  pipeline.fault({ target: 'notion.webhook', kind: 'drop' });
  const { id } = await pipeline.edit(GOLEM, { Estimate: 5 }, 'mira');
  await pipeline.edit(GOLEM, { Status: 'In progress' }, 'jonas');
  await pipeline.idle();
  expect(await pipeline.cards()).toEqual([]);
  await pipeline.redeliver(id);
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Estimate: 3 → 5`]);
});

test('a change that overtakes the event of somebody who is left out is posted', async () => {
  await pipeline.rule({ authors: { mode: 'only', people: [notionId('mira')], bots: false } });
  pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 2 });
  const before = await pipeline.edit(GOLEM, { Status: 'In progress' }, 'jonas');
  const after = await pipeline.edit(GOLEM, { Status: 'Done' }, 'mira');
  await pipeline.redeliver(before.id);
  await expect
    .poll(() => db().pageTurn.findFirst({ where: { dueAt: { gt: new Date(Date.now() + 5000) } } }))
    .not.toBeNull();
  await pipeline.redeliver(after.id);
  await pipeline.idle();
  expect(await pipeline.lines()).toEqual([`${GOLEM}: Status: Backlog → Done`]);
});

test('a new page is posted for its author only', async () => {
  const only = (key: string) => ({ authors: { mode: 'only', people: [notionId(key)], bots: false } });
  const created = { eventType: 'page_created', watchedProperties: [] };
  await pipeline.rule({ ...created, ...only('mira') });
  const other = await pipeline.rule({
    ...created,
    ...only('jonas'),
    channelId: story.connected.channel('bugs'),
  });
  await pipeline.told(() =>
    story.product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      as: 'mira',
      properties: { Name: 'By Mira' },
    }),
  );
  await pipeline.settle();
  expect([(await pipeline.cards('tasks')).length, (await pipeline.cards('bugs')).length]).toEqual([1, 0]);
  expect(await reasons(other.id)).toContain(LEFT_OUT);
});

test('a new page whose rule leaves its author out before it has settled is not posted', async () => {
  const rule = await pipeline.rule({ eventType: 'page_created', watchedProperties: [] });
  await pipeline.told(() =>
    story.product.control('notion', 'POST', '/rows', {
      database: 'Sprint board',
      as: HERALD,
      properties: { Name: 'By a bot' },
    }),
  );
  await pipeline.idle();
  await db().rule.updateMany({ data: { authors: { mode: 'anyone', people: [], bots: false } } });
  await pipeline.settle();
  expect(await pipeline.cards()).toEqual([]);
  expect(await reasons(rule.id)).toContain(LEFT_OUT);
});

test('what the bot changed for a person in chat counts as theirs, and of the bot no more', async () => {
  const mira = { people: [notionId('mira')], bots: false };
  const channelId = (name: string) => story.connected.channel(name);
  await pipeline.rule();
  await pipeline.rule({ channelId: channelId('general'), authors: { ...mira, mode: 'only' } });
  const but = await pipeline.rule({ channelId: channelId('bugs'), authors: { ...mira, mode: 'except' } });
  await pipeline.edit(GOLEM, { Status: 'In progress' }, 'jonas');
  await pipeline.idle();
  const [card] = await pipeline.cards('tasks');
  expect((await pipeline.cards('bugs')).length).toBe(1);
  await story.setStatus(story.mira, card, 'In review');
  await pipeline.idle();
  await expect.poll(async () => (await pipeline.cards('general')).length).toBe(1);
  expect((await pipeline.cards('bugs')).length).toBe(1);
  expect(await reasons(but.id)).toEqual([LEFT_OUT]);
});

test('a card pings the role and the people whom its rule names, and is posted when the role is gone', async () => {
  const server = await story.product.call('mira', 'GET', '/api/app/discord/server');
  const role = server.body.roles.find(({ name }: { name: string }) => name === 'Artists').id;
  const [mira] = PEOPLE;
  const userIds = [mira?.discordId];
  const rule = await pipeline.rule({ mentions: { people: 'none', roleIds: [role], userIds } });
  await pipeline.edit(GOLEM, { Status: 'Done' }, 'mira');
  await pipeline.idle();
  const [card] = await pipeline.cards();
  expect(card.pings).toEqual({ users: userIds, roles: [role], everyone: false });

  const { guild } = story.connected;
  await story.product.control('discord', 'DELETE', `/guilds/${guild.id}/roles/${role}`);
  await pipeline.edit(GOLEM, { Status: 'Backlog' }, 'mira');
  await pipeline.idle();
  const [, later] = await pipeline.cards();
  expect(later.pings).toEqual({ users: userIds, roles: [], everyone: false });
  await pipeline.lookAnew();
  const saved = await story.product.call('mira', 'PUT', `/api/app/rules/${rule.id}`, rule);
  expect(saved).toMatchObject({
    status: 400,
    body: { error: `mentions.roleIds: The server has no role with the id "${role}".` },
  });
});

describe('authors that cannot be are refused with a sentence, and nothing is stored', () => {
  test.each([
    [{ mode: 'only', people: ['nobody'] }, /^authors\.people: .+ has nobody with the id "nobody"\.$/],
    [{ mode: 'except', people: Array(200).fill('x') }, 'authors.people may name at most 100 people'],
    [
      { mode: 'only', people: [], bots: false },
      'authors.people must name somebody, or nothing would ever be posted',
    ],
    [{ mode: 'some' }, 'authors.mode must be "anyone", "only" or "except"'],
    [{ bots: 'no' }, 'authors.bots must be true or false'],
    [{ robots: true }, 'authors: Unrecognized key: "robots"'],
    ['anyone', 'authors must be an object'],
    [null, 'authors must be an object'],
  ])('%j', async (authors, error) => {
    const input = {
      databaseId: story.connected.board.dataSourceId,
      eventType: 'page_created',
      channelId: story.connected.channel('tasks'),
      authors,
    };
    const answer = await story.product.call('mira', 'POST', '/api/app/rules', input);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
    expect(answer.body.error).toEqual(
      typeof error === 'string' ? error : expect.stringMatching(error as RegExp),
    );
    expect(await db().rule.count()).toBe(0);
  });
});
