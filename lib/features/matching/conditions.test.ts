import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PropertyValue, toPropertyValue } from '@/lib/integrations/notion/property-value';
import { pageOf } from '@/lib/testing/page-of';
import { meets, type Truth } from './conditions';
import { type Condition, type Conditions, ruleTermsSchema } from './schema';
import { toSnapshot } from './snapshot';
import { kindOf, OPERATORS_OF } from './words';

const AT = new Date('2026-11-22T18:00:00Z');
const MIRA = '5b1f0c3a-1111-4d0e-9a01-000000000101';
const JONAS = '5b1f0c3a-1111-4d0e-9a01-000000000102';
const PAGE = '5b1f0c3a-2222-4d0e-9a01-000000000001';

const value = (type: string, given: unknown) => toPropertyValue({ id: 'p', type, [type]: given });
const text = (...parts: string[]) =>
  value(
    'rich_text',
    parts.filter(Boolean).map((part) => ({ plain_text: part })),
  );
const option = (id: string) => value('status', { id, name: `Name of ${id}` });
const options = (...ids: string[]) =>
  value(
    'multi_select',
    ids.map((id) => ({ id, name: `Name of ${id}` })),
  );
const people = (...ids: string[]) =>
  value(
    'people',
    ids.map((id) => ({ id, name: 'Somebody' })),
  );
const pages = (...ids: string[]) =>
  value(
    'relation',
    ids.map((id) => ({ id })),
  );
const date = (start: string | null, end: string | null = null) => value('date', start && { start, end });
const formula = (type: string, given: unknown) => value('formula', { type, [type]: given });
const rollup = (type: string, given: unknown) => value('rollup', { type, function: 'sum', [type]: given });

// As many parts as Notion returns of a longer text, less one.
const LONG = [...Array<string>(23).fill('a'.repeat(2000)), 'needle'];

const MANY_PAGES = Array.from({ length: 20 }, () => ({ type: 'relation', relation: [{ id: PAGE }] }));

const pageWith = (given: Record<string, PropertyValue>) =>
  pageOf(new Map(Object.entries(given).map(([id, each]) => [id, { ...each, name: id }])));

function judge(
  condition: Omit<Condition, 'propertyId'>,
  now: PropertyValue | null,
  before?: PropertyValue,
): Truth {
  const seen = {
    page: pageWith(now ? { p: now } : {}),
    before: before ? toSnapshot(pageWith({ p: before }), ['p']) : null,
    announced: ['p'],
    at: AT,
  };
  return meets({ match: 'all', items: [{ propertyId: 'p', ...condition } as Condition] }, seen);
}

type Row = [now: PropertyValue | null, operator: string, values: unknown[], expected: Truth];

describe('a property is held against values', () => {
  test.each<Row>([
    [text('Lava level'), 'is', ['Lava level'], true],
    [text('Lava level'), 'is', ['lava level'], false],
    [text('Lava level'), 'is', ['x', 'Lava level'], true],
    [text('Lava level'), 'is_not', ['Lava level'], false],
    [text('Lava level'), 'is_not', ['x', 'y'], true],
    [text('Lava level'), 'is_not', ['x', 'Lava level'], false],
    [text('Lava level'), 'contains', ['LAVA'], true],
    [text('Lava level'), 'does_not_contain', ['lava'], false],
    [text('Cafe\u0301'), 'is', ['Caf\u00e9'], true],
    [text('Caf\u00e9'), 'is', ['Cafe\u0301'], true],
    [text('Cafe\u0301'), 'is_not', ['Caf\u00e9'], false],
    [text('Cafe\u0301'), 'is', ['Cafe'], false],
    [text(`${'a'.repeat(1300)}e\u0301`), 'is', [`${'a'.repeat(1300)}\u00e9`], true],
    [text('In the cafe\u0301'), 'contains', ['CAF\u00c9'], true],
    [text('In the caf\u00e9'), 'contains', ['cafe\u0301'], true],
    [text('In the caf\u00e9'), 'does_not_contain', ['cafe\u0301'], false],
    [text('a'.repeat(1300)), 'is', ['a'.repeat(1300)], true],
    [text(`${'a'.repeat(1000)}b`), 'contains', ['b'], true],
    [text(`${'a'.repeat(1300)}b`), 'is', ['a'.repeat(1300)], false],
    [text(...LONG), 'contains', ['NEEDLE'], true],
    [text(...LONG), 'contains', ['x', 'needle'], true],
    [text(...LONG), 'contains', ['x'], false],
    [text(...LONG), 'does_not_contain', ['needle'], false],
    [text(...LONG), 'does_not_contain', ['x', 'y'], true],
    [text(...LONG), 'is', [LONG.join('')], true],
    [text(...LONG, 'b'), 'contains', ['needle'], true],
    [text(...LONG, 'b'), 'does_not_contain', ['needle'], false],
    [text(...LONG, 'b'), 'contains', ['x'], null],
    [text(...LONG, 'b'), 'does_not_contain', ['x'], null],
    [text(`${'a'.repeat(60_000)}b`), 'contains', ['b'], null],
    [formula('string', LONG.join('')), 'contains', ['needle'], true],
    [formula('string', LONG.join('')), 'does_not_contain', ['x'], true],
    [rollup('array', [{ type: 'title', title: [{ plain_text: LONG.join('') }] }]), 'contains', ['x'], false],
    [option('done'), 'is', ['done'], true],
    [option('done'), 'is', ['open'], false],
    [option('done'), 'is_not', ['open'], true],
    [value('select', { id: 'hi', name: 'High' }), 'is', ['hi', 'lo'], true],
    [options('a', 'b'), 'contains', ['b'], true],
    [options('a', 'b'), 'contains', ['c'], false],
    [options('a', 'b'), 'does_not_contain', ['c', 'd'], true],
    [options('a', 'b'), 'does_not_contain', ['c', 'a'], false],
    [people(MIRA), 'contains', [MIRA], true],
    [people(MIRA), 'does_not_contain', [JONAS], true],
    [value('created_by', { id: MIRA, name: 'Mira' }), 'contains', [JONAS, MIRA], true],
    [pages(PAGE), 'contains', [PAGE], true],
    [pages(...Array.from({ length: 25 }, (_, at) => `${at}`)), 'contains', [PAGE], null],
    [value('number', 5), 'is', [5], true],
    [value('number', 5), 'greater', [4.5], true],
    [value('number', 5), 'greater', [5], false],
    [value('number', 5), 'less', [4, 6], true],
    [value('number', 0), 'is_empty', [], false],
    [value('unique_id', { prefix: 'PRJ', number: 12 }), 'is', [12], true],
    [value('unique_id', { prefix: 'PRJ', number: 12 }), 'is', ['PRJ-12'], true],
    [value('unique_id', { prefix: 'PRJ', number: 12 }), 'is', ['PRJ-1'], false],
    [value('unique_id', { prefix: null, number: 12 }), 'is', ['12'], true],
    [value('checkbox', true), 'is', [true], true],
    [value('checkbox', false), 'is', [true], false],
    [value('checkbox', false), 'is_empty', [], false],
    [date('2026-11-21'), 'before', ['2026-11-22'], true],
    [date('2026-11-22'), 'before', ['2026-11-22'], false],
    [date('2026-11-22T10:00:00+02:00'), 'after', ['2026-11-22'], false],
    [date('2026-11-23T00:00:00+02:00'), 'after', ['2026-11-22'], true],
    [date('2026-11-22T10:00:00+02:00'), 'before', ['2026-11-22T09:00:00Z'], true],
    [date('2026-11-22', '2026-11-30'), 'after', ['2026-11-25'], false],
    [date('2026-11-22'), 'within_next_days', [0], true],
    [date('2026-11-25'), 'within_next_days', [3], true],
    [date('2026-11-26'), 'within_next_days', [3], false],
    [date('2026-11-21'), 'within_next_days', [3], false],
    [date('2026-11-22T17:59:00Z'), 'within_next_days', [3], false],
    [date('2026-11-25T17:59:00Z'), 'within_next_days', [3], true],
    [date('2026-11-19'), 'within_past_days', [3], true],
    [date('2026-11-18'), 'within_past_days', [3], false],
    [date('2026-11-23'), 'within_past_days', [3], false],
    [value('created_time', '2026-11-22T17:00:00.000Z'), 'within_past_days', [1], true],
    [formula('number', 7), 'greater', [6], true],
    [formula('number', 7), 'is', ['7'], true],
    [formula('number', 1), 'is', [true], null],
    [formula('number', 0), 'is_not', [' '], null],
    [formula('string', 'late'), 'contains', ['LATE'], true],
    [formula('string', '7'), 'is', [7], true],
    [formula('string', 'late'), 'greater', [6], null],
    [formula('boolean', true), 'is', [true], true],
    [formula('date', { start: '2026-11-23' }), 'after', ['2026-11-22'], true],
    [rollup('number', 3), 'less', [4], true],
    [rollup('array', [{ type: 'title', title: [{ plain_text: 'Cave' }] }]), 'contains', ['cave'], true],
    [rollup('array', [{ type: 'title', title: [{ plain_text: 'Cave' }] }]), 'is', ['Cave'], true],
    [rollup('array', [{ type: 'select', select: { id: 'o1', name: 'High' } }]), 'is', ['High'], true],
    [rollup('array', [{ type: 'people', people: [{ id: MIRA }] }]), 'is_empty', [], false],
    [rollup('array', [{ type: 'people', people: [] }]), 'is_empty', [], true],
    [rollup('array', MANY_PAGES), 'contains', ['cave'], false],
    [rollup('unsupported', {}), 'is_empty', [], null],
    [rollup('incomplete', {}), 'is', ['x'], null],
    [value('email', 'mira@example.com'), 'contains', ['example'], true],
    [value('unheard_of', { x: 1 }), 'is_empty', [], true],
    [null, 'is_empty', [], null],
  ])('%#: %s %s %j is %s', (now, operator, values, expected) => {
    const isEmptiness = operator.endsWith('empty');
    expect(judge({ operator, ...(isEmptiness ? {} : { values }) } as never, now)).toBe(expected);
  });
});

test.each([
  text(''),
  value('select', null),
  options(),
  people(),
  pages(),
  value('number', null),
  date(null),
  formula('string', ''),
  value('url', null),
])('of an empty property only the negative operators and is_empty hold: %j', (now) => {
  const holding = ['is_empty', 'is_not', 'does_not_contain'];
  for (const operator of OPERATORS_OF[kindOf(now.type)].filter((each) => each !== 'changed')) {
    const values = operator.endsWith('empty') ? {} : { values: [operator.includes('days') ? 3 : 'x'] };
    expect(judge({ operator, ...values } as never, now)).toBe(holding.includes(operator));
  }
});

describe('a property has changed', () => {
  const changed = (from: unknown[] = [], to: unknown[] = []) => ({ operator: 'changed', from, to }) as never;
  test.each<[string, never, [now: PropertyValue, before?: PropertyValue], Truth]>([
    ['in any way', changed(), [option('done'), option('open')], true],
    ['not at all', changed(), [option('done'), option('done')], false],
    ['as Notion says, where the old value is unknown', changed(), [option('done')], true],
    ['to one of these', changed([], ['done']), [option('done'), option('open')], true],
    ['to another', changed([], ['done']), [option('cut'), option('open')], false],
    ['to one of these from nobody knows what', changed([], ['done']), [option('done')], true],
    [
      'from one of these to one of these',
      changed(['open'], ['done']),
      [option('done'), option('open')],
      true,
    ],
    ['from another', changed(['open'], ['done']), [option('done'), option('cut')], false],
    ['from nobody knows what', changed(['open']), [option('done')], null],
    ['from a value of another type', changed(['open']), [option('done'), text('open')], null],
    [
      'to one of these from a value of another type',
      changed([], ['done']),
      [option('done'), text('a')],
      true,
    ],
    ['to something it had', changed([], ['a']), [options('a', 'b'), options('a')], false],
    ['to have something', changed([], ['b']), [options('a', 'b'), options('a')], true],
    ['to have something no more', changed(['a']), [options('b'), options('a', 'b')], true],
    ['a person came', changed([], [MIRA]), [people(MIRA, JONAS), people(JONAS)], true],
    ['a box was ticked', changed([], [true]), [value('checkbox', true), value('checkbox', false)], true],
    ['a number', changed([1], [2]), [value('number', 2), value('number', 1)], true],
    ['a date', changed(['2026-11-22']), [date('2026-11-25'), date('2026-11-22')], true],
    ['was cleared', changed(['open']), [value('status', null), option('open')], true],
    ['from a long text to another', changed([LONG.join('')], ['b']), [text('b'), text(...LONG)], true],
  ])('%s', (_, condition, values, expected) => {
    const [now, before] = values;
    expect(judge(condition, now, before)).toBe(expected);
  });

  test('and of a long text only the beginning is kept to compare it with', () => {
    const kept = toSnapshot(pageWith({ p: text(...LONG) }), ['p']);
    expect(JSON.stringify(kept).length).toBeLessThan(500);
  });

  test('only if Notion says so, where the old value is unknown', () => {
    const item = { propertyId: 'p', operator: 'changed' as const, from: [], to: [] };
    const seen = { page: pageWith({ p: option('done') }), before: null, announced: ['q'], at: AT };
    expect(meets({ match: 'all', items: [item] }, seen)).toBe(false);
  });
});

const KNOWN: Record<string, Truth> = { yes: true, no: false, unknown: null };
const page = pageWith({
  yes: value('checkbox', true),
  no: value('checkbox', false),
  unknown: rollup('unsupported', {}),
});

test('all or any of them must hold, and what is unknown never makes a match', () => {
  const names = fc.array(fc.constantFrom('yes', 'no', 'unknown'), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(names, fc.constantFrom('all' as const, 'any' as const), (chosen, match) => {
      const items = chosen.map((propertyId): Condition => ({ propertyId, operator: 'is', values: [true] }));
      const truths = chosen.map((name) => KNOWN[name] ?? null);
      const decisive = match === 'any';
      const expected = truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
      expect(meets({ match, items }, { page, before: null, announced: [], at: AT })).toBe(expected);
    }),
  );
});

test('any conditions at all are judged, whatever the page holds', () => {
  const given = fc.oneof(fc.string(), fc.double(), fc.boolean());
  const item = fc
    .record({
      propertyId: fc.constantFrom('yes', 'no', 'unknown', 'gone', 'p'),
      operator: fc.constantFrom(...Object.values(OPERATORS_OF).flat()),
      values: fc.array(given, { minLength: 1, maxLength: 3 }),
    })
    .map(({ propertyId, operator, values }) => {
      if (operator === 'changed') return { propertyId, operator, from: values, to: values };
      return operator.endsWith('empty') ? { propertyId, operator } : { propertyId, operator, values };
    });
  const now = fc.oneof(
    fc.constantFrom(
      'title',
      'number',
      'status',
      'date',
      'people',
      'relation',
      'formula',
      'rollup',
      'unique_id',
    ),
  );
  fc.assert(
    fc.property(fc.array(item, { maxLength: 10 }), now, fc.anything(), (items, type, raw) => {
      const seen = {
        page: pageWith({ ...Object.fromEntries(page.values), p: value(type, raw) }),
        before: null,
        announced: ['p'],
        at: AT,
      };
      expect([true, false, null]).toContain(
        meets({ match: 'all', items: items as Conditions['items'] }, seen),
      );
    }),
  );
});

test.each([
  [{ match: 'some' }, 'conditions.match must be "all" or "any"'],
  [{ items: 5 }, 'conditions.items must be a list'],
  [{ items: Array(11).fill({ propertyId: 'p', operator: 'is_empty' }) }, 'at most 10 conditions'],
  [
    { items: [{ propertyId: 'p', operator: 'equals', values: [1] }] },
    'operator of conditions.items must be one of is,',
  ],
  [{ items: [{ propertyId: 'p', operator: 'is', values: Array(200).fill('x') }] }, 'at most 100 entries'],
  [{ items: [{ propertyId: 'p', operator: 'is' }] }, 'values of conditions.items must be a list'],
  [{ items: [{ propertyId: 'p', operator: 'is', values: [] }] }, 'must have an entry'],
  [{ items: [{ propertyId: 'p', operator: 'is', values: [null] }] }, 'must be texts'],
  [{ items: [{ propertyId: '', operator: 'is', values: ['x'] }] }, 'propertyId of conditions.items'],
  [{ items: [{ propertyId: 'p', operator: 'is_empty', values: ['x'] }] }, 'must be empty here'],
])('%j is refused', (conditions, sentence) => {
  const { error } = ruleTermsSchema.safeParse({ eventType: 'page_created', conditions });
  expect(error?.issues[0]?.message).toContain(sentence);
});

test('no conditions are the same in every form', () => {
  for (const conditions of [undefined, null, {}, { items: [] }, { match: 'all', items: [] }]) {
    const terms = ruleTermsSchema.parse({ eventType: 'page_created', conditions });
    expect(terms.conditions).toEqual({ match: 'all', items: [] });
  }
});
