import { expect, test } from 'vitest';
import { PostedCards } from './posted-before';

const PAGE = '24c1a0de5b6f80a1b2c3d4e5f6a7b8c9';
const RELEASE = 'https://www.notion.so/Commit-d41d8cd98f00b204e9800998ecf8427e-is-out';
const UPDATED = 'Pagewire · Sprint board · Page Updated';

function card(lines: string[], { url = `https://www.notion.so/Ash-storm-${PAGE}`, footer = UPDATED } = {}) {
  return {
    embeds: [{ url, description: [...lines, 'Updated <t:1:R>'].join('\n'), footer: { text: footer } }],
  };
}

/** The changes that are left of a card after others were posted; null when nothing is left. */
function left(told: ReturnType<typeof card>[], given: ReturnType<typeof card>): string[] | null {
  const cards = new PostedCards();
  cards.add(
    told.map((each, index) => ({ id: String(index), embeds: each.embeds.map((embed) => ({ ...embed })) })),
  );
  const rest = cards.leftOf(given);
  return 'card' in rest ? (rest.card.embeds?.[0]?.description ?? '').split('\n').slice(0, -1) : null;
}

test.each<[string, ReturnType<typeof card>[], ReturnType<typeof card>, string[] | null]>([
  ['nothing was told', [], card(['Status: A → B']), ['Status: A → B']],
  ['the same was told', [card(['Status: A → B'])], card(['Status: A → B']), null],
  ['it was told in steps', [card(['Status: A → B']), card(['Status: B → C'])], card(['Status: A → C']), null],
  ['only its beginning was told', [card(['Status: A → B'])], card(['Status: A → C']), ['Status: B → C']],
  [
    'it was told and undone',
    [card(['Status: A → B']), card(['Status: B → A'])],
    card(['Status: A → B']),
    ['Status: A → B'],
  ],
  [
    'one of two properties was told',
    [card(['Status: A → B'])],
    card(['Status: A → B', 'Due: 1 → 2']),
    ['Due: 1 → 2'],
  ],
  ['a value has an arrow and a colon', [card(['Path: a → b: c'])], card(['Path: x → b: c']), null],
  [
    'a value has lines',
    [card(['Notes: a → b', 'c'])],
    card(['Notes: x → b', 'd']),
    ['Notes: b', 'c → b', 'd'],
  ],
  [
    'a text that is read from right to left was told without marks',
    [card(['מצב: א → ב'])],
    card(['\u2068מצב\u2069: \u2068א\u2069 → \u2068ב\u2069']),
    null,
  ],
  [
    'a rule whose name is read from right to left was named without marks',
    [card(['Status: A → B'], { footer: 'Pagewire · לוח → #tasks · Page Updated' })],
    card(['Status: A → B'], { footer: 'Pagewire · \u2068לוח\u2069 → #tasks · Page Updated' }),
    null,
  ],
  [
    'a text that is read from right to left was told in steps',
    [card(['Status: א → ב'])],
    card(['Status: \u2068א\u2069 → \u2068ג\u2069']),
    ['Status: \u2068ב\u2069 → \u2068ג\u2069'],
  ],
  [
    'the page was renamed',
    [card(['Name: A → B'])],
    card(['Name: A → B'], { url: `https://www.notion.so/B-${PAGE}` }),
    null,
  ],
  [
    'another page was told of',
    [card(['Status: A → B'], { url: `https://www.notion.so/${PAGE.replace('2', '3')}` })],
    card(['Status: A → B']),
    ['Status: A → B'],
  ],
  [
    'another page was told of whose title has what looks like an id',
    [card(['Status: A → B'], { url: `${RELEASE}-${PAGE.replace('2', '3')}` })],
    card(['Status: A → B'], { url: `${RELEASE}-${PAGE}` }),
    ['Status: A → B'],
  ],
  [
    'the address also names how the page is shown',
    [card(['Status: A → B'], { url: `https://www.notion.so/${PAGE}?v=${PAGE.replace('2', '3')}#top` })],
    card(['Status: A → B']),
    null,
  ],
  [
    'another rule told it',
    [card(['Status: A → B'], { footer: 'Pagewire · Mine · Page Updated' })],
    card(['Status: A → B']),
    ['Status: A → B'],
  ],
  [
    'the page was new and told',
    [card([], { footer: 'Page Created' })],
    card([], { footer: 'Page Created' }),
    null,
  ],
])('when %s, only the rest is left', (_, told, given, expected) => {
  expect(left(told, given)).toEqual(expected);
});

test('a card without a page is left as it is', () => {
  const cards = new PostedCards();
  expect(cards.leftOf({ content: 'notice' })).toEqual({ card: { content: 'notice' } });
});
