import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node, Parent } from '@/lib/integrations/notion/notion-parent';
import { pageIdIn } from '../rules/schema';
import { climb, DEEPEST, startPosition } from '../tree/climb';
import { isWatched, type Position, type RuleSource } from './sources';

const WIKI: Pick<RuleSource, 'sourceKind' | 'databaseId' | 'pageId'> = {
  sourceKind: 'page',
  databaseId: null,
  pageId: 'wiki',
};
const page = (id: string): Node => ({ kind: 'page', id });
const block = (id: string): Node => ({ kind: 'block', id });
const rows = (id: string): Node => ({ kind: 'data_source', id });
const at = (above: Node[], end: Position['end'] = 'top', pageId = 'x'): Position => ({
  pageId,
  databaseId: null,
  above,
  end,
});

describe('whether a rule of a page watches another one', () => {
  test.each<[string, Position, none: boolean, children: boolean | null, all: boolean | null]>([
    ['the page itself', at([], 'open', 'wiki'), true, true, true],
    ['a child', at([page('wiki')], 'open'), false, true, true],
    ['a child in columns', at([block('a'), block('b'), page('wiki')], 'open'), false, true, true],
    ['a grandchild', at([page('y'), page('wiki')], 'open'), false, false, true],
    ['a row of a database on it', at([rows('d'), page('wiki')], 'open'), false, false, true],
    [
      'a page in a row of a database below it',
      at([page('r'), rows('d'), block('b'), page('wiki')]),
      false,
      false,
      true,
    ],
    ['a page elsewhere', at([page('y')]), false, false, false],
    ['a page at the top', at([]), false, false, false],
    ['nobody has asked yet', at([], 'open'), false, null, null],
    ['a block that nobody has asked for', at([block('b')], 'open'), false, null, null],
    ['a page that nobody has asked for', at([page('y')], 'open'), false, false, null],
    ['something hidden', at([block('b')], 'hidden'), false, null, null],
    ['a page in something hidden', at([page('y')], 'hidden'), false, false, null],
    ['a block of the same id as the page', at([block('wiki')]), false, false, false],
  ])('%s', (_what, position, ...expected) => {
    const answers = (['none', 'children', 'all'] as const).map((subpages) =>
      isWatched({ ...WIKI, subpages }, position),
    );
    expect(answers).toEqual(expected);
  });

  test('a database has its rows, and a workspace everything', () => {
    const source = { databaseId: null, pageId: null, subpages: null };
    expect(isWatched({ ...source, sourceKind: 'workspace' }, at([], 'hidden'))).toBe(true);
    const database = { ...source, sourceKind: 'database' as const, databaseId: 'd' };
    expect(isWatched(database, { ...at([rows('d')]), databaseId: 'd' })).toBe(true);
    expect(isWatched(database, at([page('d')]))).toBe(false);
  });
});

const parent = fc.record<Parent>({
  kind: fc.constantFrom('page', 'block', 'data_source', 'workspace', 'unknown'),
  id: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'wiki')),
  databaseId: fc.constant(null),
});

test('every way up ends, in whatever circles it leads, and is judged once it has', () => {
  const ways = fc.dictionary(fc.constantFrom('x', 'a', 'b', 'c', 'd', 'wiki'), parent);
  fc.assert(
    fc.property(ways, (parents) => {
      let position = startPosition({ pageId: 'x', databaseId: null }, null);
      let steps = 0;
      while (position.end === 'open' && steps <= DEEPEST + 1) {
        const highest = position.above.at(-1)?.id ?? 'x';
        position = climb(position, parents[highest] ?? { kind: 'unknown', id: null, databaseId: null });
        steps += 1;
      }
      expect(position.end).not.toBe('open');
      const answer = isWatched({ ...WIKI, subpages: 'all' }, position);
      expect(answer === null).toBe(
        position.end === 'hidden' &&
          !position.above.some((each) => each.id === 'wiki' && each.kind === 'page'),
      );
    }),
  );
});

test('a tree that is too deep is not followed to its end', () => {
  let position = startPosition({ pageId: 'x', databaseId: null }, null);
  for (let step = 0; step < 10_000; step += 1) {
    position = climb(position, { kind: 'page', id: `p${step}`, databaseId: null });
  }
  expect(position.above).toHaveLength(DEEPEST);
  expect(position.end).toBe('hidden');
});

const HEX = '0123456789abcdef0123456789abcdef';
const ID = '01234567-89ab-cdef-0123-456789abcdef';

test.each<[string, string | null]>([
  [ID, ID],
  [HEX.toUpperCase(), ID],
  [` ${ID} `, ID],
  [`https://www.notion.so/Engineering-wiki-${HEX}`, ID],
  [`https://www.notion.so/lantern/Engineering-wiki-${HEX}?pvs=4#${'f'.repeat(32)}`, ID],
  [`https://app.notion.com/p/${HEX}`, ID],
  [`https://app.notion.com/p/${ID}/`, ID],
  [`https://www.notion.so/${'e'.repeat(32)}?v=${'d'.repeat(32)}&p=${HEX}&pm=s`, ID],
  ['https://www.notion.so/lantern/Engineering-wiki', null],
  [`about ${HEX}`, null],
  [`${HEX}0`, null],
  ['https://', null],
  ['', null],
])('the page in %j', (text, id) => {
  expect(pageIdIn(text)).toBe(id);
});
