import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { type PropertyValue, toPropertyValue } from '@/lib/integrations/notion/property-value';
import { parseMessage } from '../../../sandbox/discord/messages/message-schema';
import { buildCard, type CardInput } from './card';

const MIRA = 'notion-mira';
const JONAS = 'notion-jonas';
const GUEST = 'notion-guest';
const text = (value: string) => toPropertyValue({ type: 'rich_text', rich_text: [{ plain_text: value }] });
const status = (name: string) =>
  toPropertyValue({ type: 'status', status: { id: name, name, color: 'green' } });
const people = (...users: { id: string; name?: string }[]) =>
  toPropertyValue({ type: 'people', people: users });
const change = (name: string, before: PropertyValue | null, after: PropertyValue) => {
  return { propertyId: name, name, before, after };
};

function page(title: string, url = 'https://app.notion.com/p/1'): Page {
  const rest = {
    isTrashed: false,
    createdBy: null,
    lastEditedBy: null,
    createdAt: new Date(0),
    lastEditedAt: new Date(0),
    databaseId: 'db',
    values: new Map(),
  };
  return { id: 'page', url, title, ...rest };
}

function input(changes: Partial<CardInput> = {}): CardInput {
  return {
    eventType: 'page_updated',
    page: page('Boss fight'),
    database: { name: 'Sprint board', icon: '🔥', isTask: true },
    channelName: 'tasks',
    changes: [change('Status', status('Open'), status('Done'))],
    fields: [],
    actor: { notionUserId: MIRA, name: 'Mira' },
    at: new Date('2026-11-20T12:00:00Z'),
    people: new Map([
      [MIRA, { name: 'Mira', discordUserId: '208917000000000101' }],
      [JONAS, { name: 'Jonas', discordUserId: '208917000000000102' }],
    ]),
    ...changes,
  };
}

const embedOf = (given: Partial<CardInput>) => buildCard(input(given)).embeds?.[0];

test('a changed task is one card that says what changed, who did it, and where it comes from', () => {
  expect(
    buildCard(input({ statusColor: 'green', fields: [{ name: 'Notes', value: text('Soon') }] })),
  ).toEqual({
    content: '<@208917000000000101> changed Status of Boss fight',
    allowed_mentions: { parse: [], users: ['208917000000000101'] },
    embeds: [
      {
        author: { name: '🔥 Sprint board', icon_url: undefined },
        title: 'Boss fight',
        url: 'https://app.notion.com/p/1',
        description: 'Status: Open → Done\nUpdated by <@208917000000000101> <t:1795176000:R>',
        color: 0x5ba27c,
        footer: { text: 'Pagewire · Sprint board → #tasks · Page Updated' },
        fields: [{ name: 'Notes', value: 'Soon', inline: true }],
      },
    ],
    components: [
      {
        type: 1,
        components: [
          { type: 2, style: 2, label: 'Change status', custom_id: 'status:page:db' },
          { type: 2, style: 5, label: 'Open in Notion', url: 'https://app.notion.com/p/1' },
        ],
      },
    ],
  });
});

test('a new page of a page database has no button and no changes', () => {
  const database = { name: 'Design docs', icon: 'https://a.example/icon.png', isTask: false };
  const card = buildCard(input({ eventType: 'page_created', changes: [], database }));
  expect(card.components).toBeUndefined();
  expect(card.content).toBe('<@208917000000000101> created Boss fight');
  expect(card.embeds?.[0]).toMatchObject({
    author: { name: 'Design docs', icon_url: 'https://a.example/icon.png' },
    description: 'Created by <@208917000000000101> <t:1795176000:R>',
    footer: { text: 'Pagewire · Design docs → #tasks · Page Created' },
  });
});

describe('the text of a change', () => {
  test.each([
    ['a first value', change('Status', status(''), status('Open')), 'Status: empty → Open'],
    ['a value that was taken away', change('Notes', text('a'), text('')), 'Notes: a → empty'],
    ['an unseen value before', change('Status', null, status('Done')), 'Status: Done'],
    [
      'a date with a time',
      change('Due', text(''), toPropertyValue({ type: 'date', date: { start: '2026-11-20T12:00:00Z' } })),
      'Due: empty → <t:1795176000:f>',
    ],
  ])('%s', (_, given, line) => {
    expect(embedOf({ changes: [given] })?.description?.split('\n')[0]).toBe(line);
  });

  test('people are mentioned when linked and named when not, each by their own name', () => {
    const before = people({ id: 'g1', name: 'Felix_A' }, { id: 'g2', name: 'Kim' });
    const after = people({ id: JONAS, name: 'Jonas' }, { id: GUEST, name: 'Felix' }, { id: 'g3' });
    expect(embedOf({ changes: [change('Assignee', before, after)] })?.description).toMatch(
      /^Assignee: Felix\\_A, Kim → <@208917000000000102>, Felix, Someone\n/,
    );
  });

  test('more changes than fit are counted', () => {
    const long = 'word '.repeat(80);
    const changes = Array.from({ length: 9 }, (_, index) =>
      change(`Property ${index}`, text(long), text(long)),
    );
    const lines = embedOf({ changes })?.description?.split('\n') ?? [];
    expect(lines.at(-2)).toBe(`and ${9 - (lines.length - 2)} more changes`);
  });
});

describe('a mention reaches', () => {
  test('who did it and who was newly named, but not who was named before', () => {
    const assigned = change('Assignee', people({ id: MIRA }), people({ id: MIRA }, { id: JONAS }));
    const card = buildCard(input({ changes: [assigned], actor: null }));
    expect(card.allowed_mentions).toEqual({ parse: [], users: ['208917000000000102'] });
    expect(card.content).toBe('Someone changed Assignee of Boss fight · <@208917000000000102>');
  });

  test('nobody when nobody is linked; then the card has no content', () => {
    const card = buildCard(input({ people: new Map([[MIRA, { name: 'Mira', discordUserId: null }]]) }));
    expect(card.content).toBeUndefined();
    expect(card.allowed_mentions).toEqual({ parse: [], users: [] });
    expect(card.embeds?.[0]?.description).toContain('Updated by Mira ');
  });

  test('no more people than a message can hold, each with a whole mention', () => {
    const many = Array.from({ length: 150 }, (_, index) => ({ id: `n${index}` }));
    const linked = new Map(
      many.map(({ id }, index) => [
        id,
        { name: id, discordUserId: String(20891700000000000000n + BigInt(index)) },
      ]),
    );
    const card = buildCard(input({ changes: [change('Crew', people(), people(...many))], people: linked }));
    expect(() => parseMessage(card)).not.toThrow();
    const mentioned = card.content?.match(/<@\d{20}>/g) ?? [];
    expect(mentioned).toHaveLength(80);
    expect(card.allowed_mentions?.users).toHaveLength(80);
  });
});

describe('texts from Notion never become markup', () => {
  const nasty = '@everyone <@1> `x` [a](https://b.example) **b**';
  const defused = '@\u200beveryone \\<@1\\> \\`x\\` \\[a\\](https://b.example) \\*\\*b\\*\\*';
  test('in the title, the content, a value, a field or a name', () => {
    const card = buildCard(
      input({
        page: page(nasty),
        changes: [change(nasty, text(nasty), text(nasty))],
        fields: [{ name: nasty, value: text(nasty) }],
      }),
    );
    const embed = card.embeds?.[0];
    expect(embed?.title).toBe(defused);
    expect(embed?.description?.split('\n')[0]).toBe(`${defused}: ${defused} → ${defused}`);
    expect(embed?.fields).toEqual([{ name: defused, value: defused, inline: true }]);
    expect(card.content).toContain(`of ${defused}`);
    expect(card.allowed_mentions).toEqual({ parse: [], users: ['208917000000000101'] });
  });

  test('and an address keeps its underscores', () => {
    const url = toPropertyValue({ type: 'url', url: 'https://git.example/a_b_c' });
    expect(embedOf({ fields: [{ name: 'PR', value: url }] })?.fields?.[0]?.value).toBe(
      'https://git.example/a_b_c',
    );
  });
});

describe('blank and missing texts', () => {
  test.each(['', '   ', '\n'])('a page called %j is Untitled', (title) => {
    expect(embedOf({ page: page(title) })?.title).toBe('Untitled');
  });

  test('a blank database, a blank field and an unknown address still make a card that Discord takes', () => {
    const card = buildCard(
      input({
        page: page('', ''),
        database: { name: ' ', icon: null, isTask: true },
        fields: [
          { name: ' ', value: text('x') },
          { name: 'Empty', value: text('  ') },
        ],
        actor: null,
      }),
    );
    expect(() => parseMessage(card)).not.toThrow();
    expect(card.embeds?.[0]).toMatchObject({ author: { name: 'Untitled' }, fields: [] });
  });
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .tuple(
      fc.constantFrom('a', '*', '_', ' ', '🔥', '@everyone ', 'مرحبا ', '- \n', '```'),
      fc.integer({ min: 0, max: 3000 }),
    )
    .map(([part, times]) => part.repeat(times)),
);
const anyPerson = fc.constantFrom(MIRA, JONAS, GUEST, 'nobody');
const anyValue = fc.oneof(
  anyText.map(text),
  anyText.map(status),
  fc.array(fc.record({ id: anyPerson, name: anyText }), { maxLength: 40 }).map((list) => people(...list)),
);
const anyCard = fc.record({
  eventType: fc.constantFrom('page_created' as const, 'page_updated' as const),
  page: anyText.map((title) => page(title)),
  database: fc.record({ name: anyText, icon: fc.constantFrom(null, '🔥'), isTask: fc.boolean() }),
  channelName: anyText,
  changes: fc.array(
    fc
      .tuple(anyText, fc.option(anyValue), anyValue)
      .map(([name, before, after]) => change(name, before, after)),
    { maxLength: 30 },
  ),
  fields: fc.array(fc.record({ name: anyText, value: anyValue }), { maxLength: 40 }),
  actor: fc.option(fc.record({ notionUserId: anyPerson, name: anyText })),
  people: fc.tuple(anyText, anyText).map(
    ([one, other]): CardInput['people'] =>
      new Map([
        [MIRA, { name: one, discordUserId: '208917000000000101' }],
        [GUEST, { name: other, discordUserId: null }],
      ]),
  ),
});

test('whatever the texts are, Discord takes the card and it mentions only who is listed', () => {
  fc.assert(
    fc.property(anyCard, (given) => {
      const card = buildCard(input(given));
      expect(() => parseMessage(JSON.parse(JSON.stringify(card)))).not.toThrow();
      const unescaped = JSON.stringify([card.content, card.embeds]).replace(/\\\\[^\p{L}\p{N}\s]/gu, '');
      const mentions = unescaped.match(/<@[^>]*>/g) ?? [];
      expect(mentions.every((mention) => mention === '<@208917000000000101>')).toBe(true);
      expect(card.embeds?.[0]?.description).not.toMatch(/@(everyone|here)/);
      expect(card.content ?? '').not.toMatch(/@(everyone|here)/);
    }),
    { numRuns: 150 },
  );
});
