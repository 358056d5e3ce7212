import { describe, expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { parseMessage } from '../../../sandbox/discord/messages/message-schema';
import type { EventType } from '../matching/schema';
import { buildCard } from './card';
import type { CardInput } from './card-input';

const MIRA = 'notion-mira';
const JONAS = 'notion-jonas';
const URL = 'https://app.notion.com/p/24c1a0de5b6f80a1b2c3d4e5f6a7b8c9';

const page = (given: Partial<Page> = {}): Page => ({
  id: 'page',
  url: URL,
  title: 'Boss fight',
  isTrashed: false,
  createdBy: null,
  lastEditedBy: null,
  parent: { kind: 'data_source', id: 'db', databaseId: null },
  icon: null,
  createdAt: new Date(0),
  lastEditedAt: new Date(0),
  databaseId: 'db',
  values: new Map(),
  ...given,
});
const status = (name: string) =>
  toPropertyValue({ type: 'status', status: { id: name, name, color: 'green' } });
const change = (name: string, after: string) => ({
  propertyId: name,
  name,
  before: status('Open'),
  after: status(after),
});

const inputOf = (given: Partial<CardInput>): CardInput => ({
  eventType: 'page_updated',
  page: page(),
  database: { name: 'Sprint board', icon: null, isTask: true },
  channelName: 'tasks',
  changes: [],
  fields: [{ name: 'Notes', value: status('Soon') }],
  actor: { notionUserId: MIRA, name: 'Mira' },
  authors: [MIRA],
  at: new Date('2026-11-20T12:00:00Z'),
  people: new Map([
    [MIRA, { name: 'Mira', discordUserId: '208917000000000101' }],
    [JONAS, { name: 'Jonas', discordUserId: '208917000000000102' }],
  ]),
  size: 'compact',
  ...given,
});

const compact = (given: Partial<CardInput>) => {
  const card = buildCard(inputOf(given));
  expect(() => parseMessage(JSON.parse(JSON.stringify(card)))).not.toThrow();
  return card;
};

const LINK = `[Boss fight](<${URL}>)`;
const comment = { author: null, text: 'Shall we **ship** it?\nhttps://a.example', files: 0 };

test.each<[EventType, Partial<CardInput>, string]>([
  ['page_created', {}, `Mira created ${LINK}`],
  ['page_updated', { changes: [change('Status', 'Done')] }, `Mira changed Status of ${LINK} to Done`],
  ['content_updated', { authors: [MIRA, JONAS] }, `Mira and Jonas edited ${LINK}`],
  [
    'comment_created',
    { comment },
    `Mira commented on ${LINK}: Shall we \\*\\*ship\\*\\* it? https:\u200b//a.example`,
  ],
  ['page_deleted', {}, `Mira moved ${LINK} to the trash`],
  ['page_restored', {}, `Mira restored ${LINK}`],
])('%s is one line with a link, without an embed and buttons', (eventType, given, line) => {
  const { content, embeds, components } = compact({ eventType, ...given });
  expect({ content, embeds, components }).toEqual({ content: line, embeds: [], components: [] });
});

describe('the line of a compact card', () => {
  test.each([
    [
      'a title with markup',
      page({ title: '[x](https://a.b) @everyone' }),
      /^Mira created \\\[x\\\]\(https:\u200b\/\/a\.b\) @\u200beveryone \(\[open\]\(</,
    ],
    ['a title with an emoji', page({ title: '🔥 fight' }), /^Mira created 🔥 fight \(\[open\]\(</],
    ['no title', page({ title: '' }), /^Mira created \[Untitled\]\(</],
    ['no address', page({ url: '' }), /^Mira created Boss fight$/],
    ['an address that would end the link', page({ url: 'https://a.b/> x' }), /^Mira created Boss fight$/],
    ['another kind of address', page({ url: 'javascript:alert(1)' }), /^Mira created Boss fight$/],
    ['a long title', page({ title: 'word '.repeat(100) }), /^Mira created \[(word ?){1,20}…\]\(</],
  ])('has %s', (_, given, line) => {
    expect(compact({ eventType: 'page_created', page: given }).content).toMatch(line);
  });

  test('is short, however much changed', () => {
    const changes = Array.from({ length: 9 }, (_, nth) => change(`Property ${nth}`, 'value '.repeat(90)));
    const { content } = compact({ changes });
    expect(content).toContain('and 6 more on [Boss fight]');
    expect(content?.length).toBeLessThan(400);
  });

  test('names somebody with a long name', () => {
    const name = 'Juan Fernando Teodulo '.repeat(3);
    const after = toPropertyValue({ type: 'people', people: [{ id: 'guest', name }, { id: 'other' }] });
    const assigned = { propertyId: 'a', name: 'Assignee', before: null, after };
    expect(compact({ changes: [assigned] }).content).toMatch(/ to Juan Fernando .*…, Someone$/);
    const [userNames, userIds] = [[name], ['guest']];
    const alone = { ...assigned, after: { ...after, userIds, userNames } };
    expect(compact({ changes: [alone] }).content).toMatch(/ to Juan Fernando .*…$/);
  });

  test('pings whom the full card would', () => {
    const assignee = { ...toPropertyValue({ type: 'people', people: [{ id: JONAS }] }), name: 'Assignee' };
    const roleId = '208917000000000900';
    const mentions = { people: 'concerned' as const, roleIds: [roleId], userIds: [] };
    const values = new Map([['assignee', assignee]]);
    const given = { eventType: 'page_created' as const, page: page({ values }), mentions };
    const { content, allowed_mentions } = compact(given);
    expect(content).toBe(`Mira created ${LINK} · <@&${roleId}> <@208917000000000102>`);
    expect(allowed_mentions).toEqual(buildCard(inputOf({ ...given, size: 'full' })).allowed_mentions);
  });
});
