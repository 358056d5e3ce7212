import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CardStory } from '@/lib/testing/card-story';

/** Ids that a call can name, of one account or of nobody. */
type Ids = Record<
  | 'rule'
  | 'delivery'
  | 'link'
  | 'request'
  | 'takeover'
  | 'period'
  | 'database'
  | 'page'
  | 'property'
  | 'channel'
  | 'role'
  | 'person'
  | 'notionUser',
  string
>;

let story: CardStory;
let miras: Ids;
/** What a rule of Vera's names. */
let own: { databaseId: string; channelId: string };

beforeAll(async () => {
  story = await CardStory.start();
  const { product, board, channel, property, guild } = story.connected;
  await story.card('Secret plan');
  await story.jonas.run('link-account');
  await story.idle();
  const get = async (path: string) => (await product.call('mira', 'GET', `/api/app/${path}`)).body;
  const [delivery] = (await get('activity')).items;
  const { linkedAccounts, pendingRequests } = await get('account-links');
  const accountOf = (discordUserId: string) => db().account.findFirstOrThrow({ where: { discordUserId } });
  const { id: accountId } = await accountOf(story.mira.userId);
  const { id: askerId } = await accountOf(story.vera.userId);
  const server = await db().discordServer.findFirstOrThrow({ where: { accountId } });
  const asked = {
    accountId: askerId,
    serverId: server.id,
    discordUsername: 'jonas',
    state: 'asked',
  } as const;
  const user = await db().notionUser.findFirstOrThrow({ where: { workspace: { accountId } } });
  const [period] = await get('billing/periods');
  miras = {
    rule: delivery.ruleId,
    delivery: delivery.id,
    link: linkedAccounts[0].id,
    request: pendingRequests[0].id,
    takeover: (await db().serverTakeover.create({ data: asked })).id,
    period: period.periodStart,
    database: board.dataSourceId,
    page: delivery.pageId,
    property: property('Estimate'),
    channel: channel('tasks'),
    role: guild.id,
    person: story.mira.userId,
    notionUser: user.id,
  };
  const market = (await product.databases()).get('Night market');
  own = { databaseId: market?.dataSourceId ?? '', channelId: story.vera.channelId };
});
afterAll(() => story.product.stop());
beforeEach(() => db().callCount.deleteMany());

const nobodys = (): Ids => ({
  ...{ rule: randomUUID(), delivery: randomUUID(), link: randomUUID(), request: randomUUID() },
  ...{
    takeover: randomUUID(),
    period: '2026-01-02T03:04:05.000Z',
    database: randomUUID(),
    page: randomUUID(),
  },
  ...{ property: 'zzzz', channel: '1199999999999999999', role: '1199999999999999998' },
  ...{ person: '208917000000009999', notionUser: randomUUID() },
});

const draft = (changes: object = {}) => ({
  eventType: 'page_created',
  watchedProperties: [],
  statusTo: [],
  displayedFields: [],
  ...own,
  ...changes,
});

type Call = [method: string, path: string, body?: unknown];
const CALLS: [string, (ids: Ids) => Call][] = [
  ['editing a rule', ({ rule }) => ['PUT', `rules/${rule}`, draft()]],
  ['switching a rule', ({ rule }) => ['PUT', `rules/${rule}`, { enabled: false }]],
  ['deleting a rule', ({ rule }) => ['DELETE', `rules/${rule}`]],
  ['checking a rule', ({ rule }) => ['POST', `rules/${rule}/check`]],
  ['duplicating a rule', ({ rule }) => ['POST', `rules/${rule}/duplicate`]],
  ['reading deliveries', ({ rule }) => ['GET', `rules/${rule}/deliveries`]],
  ['reading a delivery', ({ rule, delivery }) => ['GET', `rules/${rule}/deliveries/${delivery}`]],
  ['resending a card', ({ rule, delivery }) => ['POST', `rules/${rule}/deliveries/${delivery}/resend`]],
  ['the activity of a rule', ({ rule }) => ['GET', `activity?rule=${rule}`]],
  ['the activity in a channel', ({ channel }) => ['GET', `activity?channel=${channel}`]],
  ['the activity of a person', ({ notionUser }) => ['GET', `activity?person=${notionUser}`]],
  [
    'approving a request',
    ({ request, notionUser }) => ['POST', `account-links/approve/${request}`, { notionUserId: notionUser }],
  ],
  ['rejecting a request', ({ request }) => ['DELETE', `account-links/request/${request}`]],
  ['removing a link', ({ link }) => ['DELETE', `account-links/link/${link}`]],
  ['keeping a server', ({ takeover }) => ['POST', `discord/takeovers/${takeover}/keep`]],
  ['handing over a server', ({ takeover }) => ['POST', `discord/takeovers/${takeover}/hand-over`]],
  ['reading properties', ({ database }) => ['GET', `notion/databases/${database}/properties`]],
  ['finding a page', ({ page }) => ['GET', `notion/pages?query=${page}`]],
  ['reading a period', ({ period }) => ['GET', `billing/periods/${encodeURIComponent(period)}`]],
  ['a rule about a database', ({ database }) => ['POST', 'rules', draft({ databaseId: database })]],
  ['a rule for a channel', ({ channel }) => ['POST', 'rules', draft({ channelId: channel })]],
  [
    'a rule about a page',
    ({ page: pageId }) => [
      'POST',
      'rules',
      draft({ databaseId: undefined, source: { kind: 'page', pageId, subpages: 'all' } }),
    ],
  ],
  [
    'a rule to a person',
    ({ person: discordUserId }) => [
      'POST',
      'rules',
      draft({ channelId: undefined, destination: { kind: 'person', discordUserId } }),
    ],
  ],
  [
    'a rule about what somebody does',
    ({ notionUser }) => [
      'POST',
      'rules',
      draft({ authors: { mode: 'only', people: [notionUser], bots: true } }),
    ],
  ],
  [
    'a rule that pings a role',
    ({ role }) => ['POST', 'rules', draft({ mentions: { people: 'none', roleIds: [role], userIds: [] } })],
  ],
  [
    'a rule about a property',
    ({ property }) => ['POST', 'rules', draft({ eventType: 'page_updated', watchedProperties: [property] })],
  ],
  ['previewing a database', ({ database }) => ['POST', 'rules/preview', draft({ databaseId: database })]],
  ['testing in a channel', ({ channel }) => ['POST', 'rules/test', draft({ channelId: channel })]],
  [
    'trying a database',
    ({ database }) => ['POST', 'rules/try', { rule: draft({ databaseId: database }), days: 7 }],
  ],
  [
    'importing a rule',
    ({ database, channel }) => {
      const rule = draft({ databaseId: database, databaseName: 'Sprint board', channelId: channel });
      const file = { version: 1, rules: [{ ...rule, channelName: 'tasks' }] };
      return ['POST', 'rules/import', { file, apply: true }];
    },
  ],
];

/** The answer to a call, with the names of its ids in their place. */
async function ask(key: 'vera' | 'jonas', build: (ids: Ids) => Call, ids: Ids) {
  const [method, path, body] = build(ids);
  const { status, body: answer } = await story.product.call(key, method, `/api/app/${path}`, body);
  const text = Object.entries(ids).reduce(
    (said, [name, id]) => said.replaceAll(`\\"${id}\\"`, `<${name}>`),
    // Whether a search ran out of time says nothing about what there is.
    JSON.stringify({ ...answer, next: undefined }),
  );
  return { status, text };
}

describe("somebody else's id is answered like an id that nobody has", () => {
  test.each(CALLS)('%s', async (_, build) => {
    // With another server and workspace, and with none.
    for (const key of ['vera', 'jonas'] as const) {
      const answer = await ask(key, build, miras);
      expect(answer).toEqual(await ask(key, build, nobodys()));
      expect(answer.text).not.toContain('Secret');
    }
  });
});
