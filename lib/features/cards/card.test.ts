import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { type PropertyValue, toPropertyValue } from '@/lib/integrations/notion/property-value';
import { parseMessage } from '../../../sandbox/discord/messages/message-schema';
import type { PropertyChange } from '../matching/match';
import { eventTypeSchema } from '../matching/schema';
import { buildCard } from './card';
import type { CardInput } from './card-input';
import { buildDigest } from './digest-card';
import { ruleInWords } from './words';

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
    parent: { kind: 'data_source' as const, id: 'db', databaseId: null },
    icon: null,
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
    authors: [MIRA],
    at: new Date('2026-11-20T12:00:00Z'),
    people: new Map([
      [MIRA, { name: 'Mira', discordUserId: '208917000000000101' }],
      [JONAS, { name: 'Jonas', discordUserId: '208917000000000102' }],
    ]),
    ...changes,
  };
}

const embedOf = (given: Partial<CardInput>) => buildCard(input(given)).embeds?.[0];

test('the footer has the name of the rule, or else where it leads', () => {
  expect(embedOf({ ruleName: 'Release radar' })?.footer?.text).toBe(
    'Pagewire · Release radar · Page Updated',
  );
  expect(embedOf({ ruleName: 'רדאר' })?.footer?.text).toBe('Pagewire · \u2068רדאר\u2069 · Page Updated');
  expect(embedOf({ ruleName: null })?.footer?.text).toBe('Pagewire · Sprint board → #tasks · Page Updated');
  expect(embedOf({ ruleName: null, sourceName: 'לוח', channelName: 'משימות' })?.footer?.text).toBe(
    'Pagewire · \u2068לוח\u2069 → \u2068#משימות\u2069 · Page Updated',
  );
});

test('names that are read from right to left do not turn around what a digest says', () => {
  const digest = buildDigest({
    ruleName: ruleInWords('רדאר', 'לוח', '#tasks'),
    sourceName: 'לוח',
    eventType: 'page_updated',
    pages: 2,
    shown: [],
    when: 'digest each day',
    users: [],
    roleIds: [],
    moreId: null,
  });
  expect(digest.content).toBe('2 changed pages in \u2068לוח\u2069');
  expect(digest.embeds?.[0]?.footer?.text).toBe('Pagewire · \u2068רדאר\u2069 · digest each day');
});

test('a changed task is one card that says what changed, who did it, and where it comes from', () => {
  expect(
    buildCard(input({ statusColor: 'green', fields: [{ name: 'Notes', value: text('Soon') }] })),
  ).toEqual({
    content: 'Mira changed Status of Boss fight to Done',
    allowed_mentions: { parse: [], users: [] },
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
  expect(card.components).toEqual([]);
  expect(card.content).toBe('Mira created Boss fight');
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

  test('a text that is read from right to left does not turn the line around', () => {
    const lineOf = (given: PropertyChange) => embedOf({ changes: [given] })?.description?.split('\n')[0];
    expect(lineOf(change('מצב', status('ישן'), status('Done')))).toBe(
      '\u2068מצב\u2069: \u2068ישן\u2069 → Done',
    );
    expect(lineOf(change('Notes', text('\u2067קודם'), text('قديم https://a.example/x')))).toBe(
      'Notes: \u2068קודם\u2069 → \u2068قديم https://a.example/x \u2069',
    );
    expect(lineOf(change('Assignee', people({ id: 'g1', name: 'דנה' }), people({ id: JONAS })))).toBe(
      'Assignee: \u2068דנה\u2069 → <@208917000000000102>',
    );
    const lines = embedOf({ changes: [change('Notes', text('a\nב'), text('b'))] })?.description;
    expect(lines).toMatch(/^Notes: a\n\u2068ב\u2069 → b\n/);
  });

  test('of any direction and length keeps its limits, and its marks come in pairs', () => {
    const part = fc.constantFrom(
      'a',
      'ב',
      'ج',
      ' ',
      '\n',
      '*',
      '🔥',
      '\u2067',
      '\u2069',
      'https://a.example/',
    );
    const value = fc.array(part, { maxLength: 500 }).map((parts) => parts.join('').trim());
    fc.assert(
      fc.property(value, value, value, (name, before, after) => {
        const description =
          embedOf({ changes: [change(name, text(before), text(after))] })?.description ?? '';
        const lines = description.split('\n').slice(0, -1);
        expect(lines.join('\n').length).toBeLessThanOrEqual(256 + 300 + 300 + ':  → '.length);
        for (const line of lines.filter((each) => /[בج]/.test(each))) {
          expect(line.replaceAll(/\u2068[^\u2066-\u2069]*\u2069/g, '')).not.toMatch(/[\u2068בج]/);
        }
      }),
    );
  });

  test('a name that is read from right to left does not turn around when it happened', () => {
    const actor = { notionUserId: GUEST, name: 'דנה' };
    expect(embedOf({ actor, authors: [GUEST] })?.description?.split('\n')[1]).toBe(
      'Updated by \u2068דנה\u2069 <t:1795176000:R>',
    );
  });

  test('people are mentioned when linked and named when not, each by their own name', () => {
    const before = people({ id: 'g1', name: 'Felix_A' }, { id: 'g2', name: 'Kim' });
    const after = people({ id: JONAS, name: 'Jonas' }, { id: GUEST, name: 'Felix' }, { id: 'g3' });
    expect(embedOf({ changes: [change('Assignee', before, after)] })?.description).toMatch(
      /^Assignee: Felix\\_A, Kim → <@208917000000000102>, Felix, Someone\n/,
    );
  });

  test('people in a rollup are too', () => {
    const items = [{ id: JONAS }, { id: 'g3' }].map((user) => ({ type: 'people', people: [user] }));
    const rolled = toPropertyValue({ type: 'rollup', rollup: { type: 'array', array: items } });
    expect(embedOf({ changes: [change('Assignees', null, rolled)] })?.description).toMatch(
      /^Assignees: <@208917000000000102>, Someone\n/,
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

const MIRA_PING = '208917000000000101';
const JONAS_PING = '208917000000000102';

describe('the content says the whole event in one sentence', () => {
  const content = (given: Partial<CardInput>) => buildCard(input(given)).content;

  test('in which a name that is read from right to left does not turn the others around', () => {
    expect(content({ page: page('קרב'), changes: [change('מצב', null, status('בוצע'))] })).toBe(
      'Mira changed \u2068מצב\u2069 of \u2068קרב\u2069 to \u2068בוצע\u2069',
    );
  });
  const priority = change('Priority', null, status('High'));
  const due = change(
    'Due',
    text(''),
    toPropertyValue({ type: 'date', date: { start: '2026-11-24', end: '2026-11-26' } }),
  );
  test.each([
    ['of one property', {}, 'Mira changed Status of Boss fight to Done'],
    [
      'that empties one',
      { changes: [change('Notes', text('a'), text(''))] },
      'Mira changed Notes of Boss fight to empty',
    ],
    ['by nobody known', { actor: null, authors: [] }, 'Someone changed Status of Boss fight to Done'],
    ['of dates', { changes: [due] }, 'Mira changed Due of Boss fight to Nov 24, 2026 → Nov 26, 2026'],
    [
      'of two properties',
      { changes: [change('Status', null, status('Done')), priority] },
      'Mira changed Status to Done and Priority to High on Boss fight',
    ],
    [
      'of many',
      { changes: [change('Status', null, status('Done')), priority, due, priority, priority] },
      'Mira changed Status to Done, Priority to High, Due to Nov 24, 2026 → Nov 26, 2026 and 2 more on Boss fight',
    ],
    ['of no property', { changes: [] }, 'Mira changed Boss fight'],
    [
      'of the title',
      { changes: [{ ...change('Name', text('Boss'), text('Boss fight')), propertyId: 'title' }] },
      'Mira renamed Boss to Boss fight',
    ],
    ['that made a page', { eventType: 'page_created' as const, changes: [] }, 'Mira created Boss fight'],
    [
      'by somebody in chat whom nobody has linked',
      {
        actor: { notionUserId: 'discord:1', name: '' },
        authors: [],
        people: new Map([['discord:1', { name: '', discordUserId: '208917000000000103' }]]),
      },
      '<@208917000000000103> changed Status of Boss fight to Done',
    ],
  ])('%s', (_, given, sentence) => {
    expect(content(given)).toBe(sentence);
  });

  test('in one line, however long the texts, and without a link that Discord would draw a picture of', () => {
    const long = 'Very long\nwords https://b.example discord.gg/join '.repeat(100);
    const card = buildCard(
      input({
        page: page(long),
        changes: [change(long, null, text(long)), change(long, null, text(long))],
        actor: { notionUserId: GUEST, name: long },
        people: new Map([[GUEST, { name: long, discordUserId: null }]]),
      }),
    );
    expect(card.content?.length).toBeLessThanOrEqual(2000);
    expect(card.content).not.toMatch(/\n|:\/\/|discord\.gg/);
    expect(card.content).toMatch(/^Very long words https:\u200b\/\/b\.example discord\u200b\.gg\/join/);
  });
});

describe('a ping reaches', () => {
  test('who is named by the change, where the sentence names them', () => {
    const assigned = change('Assignee', people({ id: MIRA }), people({ id: MIRA }, { id: JONAS }));
    const card = buildCard(input({ changes: [assigned] }));
    expect(card.allowed_mentions).toEqual({ parse: [], users: [JONAS_PING] });
    expect(card.content).toBe(`Mira changed Assignee of Boss fight to Mira, <@${JONAS_PING}>`);
  });

  test('whom a displayed field or a property for people of the page names', () => {
    const assignee = people({ id: JONAS }, { id: MIRA });
    const assigned = { ...page('Boss fight'), values: new Map([['a', { ...assignee, name: 'Assignee' }]]) };
    for (const given of [{ page: assigned }, { fields: [{ name: 'Assignee', value: assignee }] }]) {
      const card = buildCard(input(given));
      expect(card.content).toBe(`Mira changed Status of Boss fight to Done · <@${JONAS_PING}>`);
      expect(card.allowed_mentions).toEqual({ parse: [], users: [JONAS_PING] });
    }
  });

  test('nobody who caused the event, whoever of them the card names as its author', () => {
    const assigned = change('Assignee', null, people({ id: MIRA }, { id: JONAS }));
    const card = buildCard(input({ changes: [assigned], authors: [MIRA, JONAS] }));
    expect(card.content).toBe('Mira changed Assignee of Boss fight to Mira, Jonas');
    expect(card.allowed_mentions).toEqual({ parse: [], users: [] });
    expect(card.embeds?.[0]?.description).toContain(`Updated by <@${MIRA_PING}> `);
  });

  test('nobody who is not named any more', () => {
    const unassigned = change('Assignee', people({ id: JONAS }), people());
    expect(buildCard(input({ changes: [unassigned] })).allowed_mentions?.users).toEqual([]);
  });

  test('nobody when nobody is linked; their names stay', () => {
    const unlinked = new Map([
      [MIRA, { name: 'Mira', discordUserId: null }],
      [JONAS, { name: 'Jonas', discordUserId: null }],
    ]);
    const assigned = change('Assignee', people(), people({ id: JONAS }));
    const card = buildCard(input({ changes: [assigned], people: unlinked }));
    expect(card.content).toBe('Mira changed Assignee of Boss fight to Jonas');
    expect(card.allowed_mentions).toEqual({ parse: [], users: [] });
  });

  const everyone = new Map([
    ['a', { ...people({ id: JONAS }), name: 'Reviewer' }],
    ['b', { ...people({ id: GUEST }, { id: MIRA }), name: 'Assignee' }],
  ]);
  const linked = new Map([
    [MIRA, { name: 'Mira', discordUserId: MIRA_PING }],
    [JONAS, { name: 'Jonas', discordUserId: JONAS_PING }],
    [GUEST, { name: 'Gus', discordUserId: '208917000000000109' }],
  ]);
  const none = { roleIds: [], userIds: [] };
  test.each<[string, CardInput['mentions'], string[], string[]]>([
    ['by default, all whom the page names', undefined, [JONAS_PING, '208917000000000109'], []],
    ['only assignees', { people: 'assignees', ...none }, ['208917000000000109'], []],
    ['nobody', { people: 'none', ...none }, [], []],
    [
      'nobody but a role and people who are always pinged, whatever they did',
      { people: 'none', roleIds: ['700000000000000001'], userIds: [MIRA_PING] },
      [MIRA_PING],
      ['700000000000000001'],
    ],
    [
      'nobody twice',
      { people: 'concerned', roleIds: [], userIds: [JONAS_PING] },
      [JONAS_PING, '208917000000000109'],
      [],
    ],
  ])('%s, when the rule says so', (_, mentions, users, roles) => {
    const card = buildCard(
      input({
        page: { ...page('Boss fight'), values: everyone },
        people: linked,
        ...(mentions && { mentions }),
      }),
    );
    expect(card.allowed_mentions?.parse).toEqual([]);
    expect(card.allowed_mentions?.users).toEqual(users);
    expect(card.allowed_mentions?.roles ?? []).toEqual(roles);
    const mentioned = [...roles.map((id) => `<@&${id}>`), ...users.map((id) => `<@${id}>`)];
    const rest = mentioned.length > 0 ? ` · ${mentioned.join(' ')}` : '';
    expect(card.content).toBe(`Mira changed Status of Boss fight to Done${rest}`);
    expect(() => parseMessage(card)).not.toThrow();
  });

  test('every role and person that a rule can name, however long the sentence is', () => {
    const long = 'word '.repeat(400);
    const ids = (count: number, from: bigint) =>
      Array.from({ length: count }, (_, i) => String(from + BigInt(i)));
    const mentions = {
      people: 'concerned' as const,
      roleIds: ids(10, 10_000_000_000_000_000_000n),
      userIds: ids(20, 20_000_000_000_000_000_000n),
    };
    const changes = Array.from({ length: 5 }, () => change(long, null, text(long)));
    const actor = { notionUserId: GUEST, name: long };
    const card = buildCard(input({ page: page(long), changes, actor, people: new Map(), mentions }));
    expect(card.allowed_mentions).toEqual({ parse: [], users: mentions.userIds, roles: mentions.roleIds });
    expect(card.content?.length).toBeLessThanOrEqual(2000);
  });

  test('as many as a message can hold, each with a whole mention', () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ id: `n${index}` }));
    const linked = new Map(
      many.map(({ id }, index) => [
        id,
        { name: id, discordUserId: String(20891700000000000000n + BigInt(index)) },
      ]),
    );
    const card = buildCard(input({ changes: [change('Crew', people(), people(...many))], people: linked }));
    expect(() => parseMessage(card)).not.toThrow();
    const mentioned = card.content?.match(/<@(\d{20})>/g) ?? [];
    expect(mentioned.length).toBeGreaterThan(70);
    expect(new Set(card.allowed_mentions?.users?.map((id) => `<@${id}>`))).toEqual(new Set(mentioned));
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
    const unlinked = defused.replace('://', ':\u200b//');
    expect(card.content).toBe(`Mira changed ${unlinked} of ${unlinked} to ${unlinked}`);
    expect(card.allowed_mentions).toEqual({ parse: [], users: [] });
  });

  test('and an address keeps its underscores', () => {
    const url = toPropertyValue({ type: 'url', url: 'https://git.example/a_b_c' });
    expect(embedOf({ fields: [{ name: 'PR', value: url }] })?.fields?.[0]?.value).toBe(
      'https://git.example/a_b_c',
    );
  });
});

describe('blank and missing texts', () => {
  test.each(['', '   ', '\n', '\u200b', '\u2060 \u00ad\ufe0f', '\u0085'])(
    'a page called %j is Untitled, and a value like that is empty',
    (blank) => {
      const changes = [change('Notes', null, text(blank))];
      expect(
        embedOf({ page: page(blank), changes, fields: [{ name: 'Notes', value: text(blank) }] }),
      ).toMatchObject({
        title: 'Untitled',
        description: expect.stringMatching(/^Notes: empty\n/),
        fields: [],
      });
    },
  );

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
describe('a card about what happened to a page', () => {
  const told = (given: Partial<CardInput>) => {
    const { content, embeds, components } = buildCard(input({ changes: [], ...given }));
    const row = components?.[0];
    const buttons = row && 'components' in row ? row.components.length : 0;
    return [
      content,
      embeds?.[0]?.description?.split('\n'),
      embeds?.[0]?.footer?.text.split(' · ').at(-1),
      buttons,
    ];
  };
  const [at, by] = ['<t:1795176000:R>', '<@208917000000000101>'];

  test('says who edited its content, all of them', () => {
    const authors = [MIRA, JONAS, 'nobody'];
    expect(told({ eventType: 'content_updated', authors })).toEqual([
      'Mira and Jonas edited Boss fight',
      [`Edited by ${by} and <@208917000000000102> ${at}`],
      'Content Edited',
      2,
    ]);
  });

  test('says who moved it to the trash, where it can only be opened, and who restored it', () => {
    expect(told({ eventType: 'page_deleted' })).toEqual([
      'Mira moved Boss fight to the trash',
      [`Moved to the trash by ${by} ${at}`],
      'Page Moved to Trash',
      1,
    ]);
    expect(told({ eventType: 'page_restored', actor: null })).toEqual([
      'Someone restored Boss fight',
      [`Restored ${at}`],
      'Page Restored',
      2,
    ]);
  });

  test('counts the changes that do not fit below a comment of many lines', () => {
    const changes = Array.from({ length: 9 }, (_, nr) =>
      change(`P${nr}`, text('a'.repeat(290)), text('b'.repeat(290))),
    );
    const comment = {
      author: null,
      text: Array.from({ length: 12 }, (_, nr) => `Line ${nr}`).join('\n'),
      files: 0,
    };
    const lines = embedOf({ changes, comment })?.description?.split('\n') ?? [];
    const shown = lines.filter((line) => line.startsWith('P')).length;
    expect(shown).toBeGreaterThan(0);
    expect(lines.at(-2)).toBe(`and ${9 - shown} more changes`);
  });

  test('quotes a comment line by line, cut at a word, and counts its files', () => {
    const comment = { author: null, text: `One\n\n\n# Two\n${'word '.repeat(400)}`, files: 2 };
    const [content, lines, event] = told({ eventType: 'comment_created', comment });
    expect(content).toMatch(/^Mira commented on Boss fight: One # Two word .* word…$/);
    expect(lines).toEqual([
      '> One',
      '> \\# Two',
      expect.stringMatching(/^> (word )+word…$/),
      '2 files attached',
      `Commented by ${by} ${at}`,
    ]);
    expect(event).toBe('Comment Added');
  });
});

const anyPerson = fc.constantFrom(MIRA, JONAS, GUEST, 'nobody');
const anyValue = fc.oneof(
  anyText.map(text),
  anyText.map(status),
  fc.array(fc.record({ id: anyPerson, name: anyText }), { maxLength: 40 }).map((list) => people(...list)),
);
const anyCard = fc.record({
  size: fc.constantFrom('full' as const, 'compact' as const),
  eventType: fc.constantFrom(...eventTypeSchema.options),
  comment: fc.option(fc.record({ author: fc.constant(null), text: anyText, files: fc.nat({ max: 3 }) }), {
    nil: undefined,
  }),
  authors: fc.array(anyPerson, { maxLength: 10 }),
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
      expect(card.embeds?.[0]?.description ?? '').not.toMatch(/@(everyone|here)/);
      expect(card.content ?? '').not.toMatch(/@(everyone|here)/);
    }),
    { numRuns: 150 },
  );
});
