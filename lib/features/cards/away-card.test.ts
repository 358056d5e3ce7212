import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseMessage } from '../../../sandbox/discord/messages/message-schema';
import { buildAwayCard, MAX_LINES } from './away-card';
import type { PageNews } from './page-line';

const SINCE = new Date('2026-11-20T08:00:00Z');
const UNTIL = new Date('2026-11-20T11:00:00Z');

const line = (given: Partial<PageNews> = {}): PageNews => ({
  title: 'Ember golem',
  url: 'https://app.notion.com/p/abc',
  changes: [{ name: 'Status', before: 'Backlog', after: 'Done' }],
  moreChanges: 0,
  isNew: false,
  ...given,
});
const textOf = (lines: PageNews[], pages = lines.length) => {
  const card = buildAwayCard({ lines, pages, since: SINCE, until: UNTIL });
  expect(() => parseMessage(JSON.parse(JSON.stringify(card)))).not.toThrow();
  return card.embeds?.[0]?.description ?? '';
};

test('a page is a link with what changed', () => {
  expect(textOf([line()])).toBe(
    'Between <t:1795161600:f> and <t:1795172400:f> Pagewire heard nothing from Notion. Meanwhile 1 page changed:\n' +
      '- [Ember golem](https://app.notion.com/p/abc): Status: Backlog → Done',
  );
});

test('changes of one minute are told with that minute', () => {
  const { embeds } = buildAwayCard({ lines: [line()], pages: 12, since: SINCE, until: SINCE });
  expect(embeds?.[0]?.description).toMatch(
    /^At <t:1795161600:f> Pagewire heard nothing from Notion\. Meanwhile 12 pages changed:\n/,
  );
});

test.each([
  ['a new page', { isNew: true, changes: [] }, '- [Ember golem](https://app.notion.com/p/abc): new page'],
  ['no title', { title: ' ', changes: [] }, '- [Untitled](https://app.notion.com/p/abc)'],
  ['no address', { url: null, changes: [] }, '- Ember golem'],
  ['an address of another kind', { url: 'javascript:alert(1)', changes: [] }, '- Ember golem'],
  [
    'brackets in the address',
    { url: 'https://a.b/(c)', changes: [] },
    '- [Ember golem](https://a.b/%28c%29)',
  ],
  [
    'markup and line breaks',
    { title: '**a**\n[b](c)', changes: [] },
    '- \\*\\*a\\*\\* \\[b\\](c) ([open](https://app.notion.com/p/abc))',
  ],
  [
    'an address in the title',
    { title: 'Read https://a.example', changes: [] },
    '- [Read https:\u200b//a.example](https://app.notion.com/p/abc)',
  ],
  [
    'an emptied value',
    { changes: [{ name: 'Due', before: 'Monday', after: '' }] },
    '- [Ember golem](https://app.notion.com/p/abc): Due: Monday → empty',
  ],
  [
    'a value before that is not known',
    { changes: [{ name: 'Due', before: null, after: 'Monday' }] },
    '- [Ember golem](https://app.notion.com/p/abc): Due: Monday',
  ],
  [
    'texts that are read from right to left',
    { title: 'דף', changes: [{ name: 'מצב', before: 'ישן', after: '5' }] },
    '- [\u2068דף\u2069](https://app.notion.com/p/abc): \u2068מצב\u2069: \u2068ישן\u2069 → 5',
  ],
  [
    'a long value that is read from right to left',
    { url: null, changes: [{ name: 'Notes', before: 'ב'.repeat(90), after: 'b' }] },
    `- Ember golem: Notes: \u2068${'ב'.repeat(57)}…\u2069 → b`,
  ],
  [
    'many changes',
    { changes: ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, before: '1', after: '2' })) },
    '- [Ember golem](https://app.notion.com/p/abc): A: 1 → 2, B: 1 → 2, C: 1 → 2, and 2 more',
  ],
])('%s', (_, given, expected) => {
  expect(
    textOf([line(given)])
      .split('\n')
      .slice(1),
  ).toEqual([expected]);
});

test('pages that do not fit are counted', () => {
  const lines = Array.from({ length: MAX_LINES }, (_, index) => line({ title: `Page ${index}` }));
  const shown = textOf(lines, 1234).split('\n');
  expect(shown).toHaveLength(MAX_LINES + 2);
  expect(shown.at(-1)).toBe('and 1,209 more');
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .tuple(
      fc.constantFrom('a', '*', ' ', '🔥', '@everyone ', '<@1> ', '\n'),
      fc.integer({ min: 0, max: 900 }),
    )
    .map(([part, times]) => part.repeat(times)),
);
const anyLine = fc.record({
  title: anyText,
  url: fc.option(anyText.map((text) => `https://app.notion.com/${text}`)),
  changes: fc.array(fc.record({ name: anyText, before: fc.option(anyText), after: anyText }), {
    maxLength: 8,
  }),
  moreChanges: fc.nat(50),
  isNew: fc.boolean(),
});

test('whatever the texts are, Discord takes the card, a page has one line and nobody is mentioned', () => {
  fc.assert(
    fc.property(fc.array(anyLine, { minLength: 1, maxLength: 40 }), (lines) => {
      const text = textOf(lines, 500);
      const rows = text.split('\n');
      expect(rows.at(-1)).toBe(`and ${500 - (rows.length - 2)} more`);
      expect(text).not.toMatch(/@(everyone|here)/);
    }),
    { numRuns: 100 },
  );
});
