import { expect, test } from 'vitest';
import { toPage } from '@/lib/integrations/notion/notion-page';
import { buildCard } from '../cards/card';
import { toSnapshot } from '../matching/snapshot';
import { toSummary } from '../matching/summary';

const ODD_VALUES: [string, unknown][] = [
  ['title', [{ plain_text: '' }]],
  ['rich_text', [{ plain_text: 'x'.repeat(3000) }, null, 7]],
  ['number', 'seven'],
  ['select', { name: 'No id' }],
  ['status', null],
  ['multi_select', [{}]],
  ['date', { start: 'someday', end: null }],
  ['date', { start: '2026-11-21T10:00:00.000+01:00' }],
  ['people', [{ object: 'group', id: 'g', name: null }]],
  ['files', [{ name: 'a.png' }]],
  ['checkbox', null],
  ['formula', { type: 'unsupported', unsupported: {} }],
  ['rollup', { type: 'array', array: [{ type: 'rollup', rollup: { type: 'incomplete' } }] }],
  ['relation', Array.from({ length: 25 }, (_, nr) => ({ id: `page ${nr}` }))],
  ['unique_id', { prefix: null, number: null }],
  ['created_by', { object: 'user', id: 'u' }],
  ['verification', null],
  ['place', { lat: 1, lon: 2 }],
  ['button', {}],
  ['last_visited_time', 7],
  ['type_of_next_year', { deeply: { nested: [{ value: '\0' }] } }],
];

/** A page with `count` properties and every kind of value, including kinds that we do not know. */
function strangePage(count: number) {
  const properties = Array.from({ length: count }, (_, nr) => {
    const [type, value] = ODD_VALUES[nr % ODD_VALUES.length] ?? ['number', 1];
    return [
      `Property ${nr}`,
      nr % 7 === 6 ? null : { id: `p${nr}`, type, [type]: value, has_more: true },
    ] as const;
  });
  return toPage({
    object: 'page',
    id: '11111111-2222-3333-4444-555555555555',
    created_time: '2026-11-21T09:00:00.000Z',
    last_edited_time: '2026-11-21T09:00:00.000Z',
    parent: { type: 'data_source_id', data_source_id: 'db' },
    properties: Object.fromEntries(properties),
    url: null,
  });
}

test('a page of 300 strange properties becomes a card that Discord takes', () => {
  const page = strangePage(300);
  const named = [...page.values].map(([propertyId, value]) => ({ propertyId, name: value.name, value }));
  expect(named).toHaveLength(300);
  const changes = named.map(({ value, ...rest }) => ({ ...rest, before: null, after: value }));
  const { embeds, content = '' } = buildCard({
    eventType: 'page_updated',
    page,
    database: { name: 'Everything', icon: null, isTask: true },
    channelName: 'tasks',
    changes,
    fields: named,
    actor: null,
    authors: [],
    at: new Date(0),
    people: new Map(),
  });
  const [embed] = embeds ?? [];
  const texts = [embed?.title, embed?.description, embed?.author?.name, embed?.footer?.text].concat(
    (embed?.fields ?? []).flatMap(({ name, value }) => [name, value]),
  );
  expect(embed?.title).toBe('Untitled');
  expect(texts.join('').length).toBeLessThanOrEqual(6000);
  expect(embed?.fields?.length).toBeLessThanOrEqual(25);
  expect(content.length).toBeLessThanOrEqual(2000);
  expect(toSummary(page, changes)).toMatchObject({ changes: { length: 25 }, moreChanges: 275 });
});

test('a list that Notion shortened is not stored as if it were complete', () => {
  const page = strangePage(21);
  const cut = [...page.values].filter(([, { isCut }]) => isCut).map(([id]) => id);
  expect(cut.length).toBeGreaterThan(0);
  expect(Object.keys(toSnapshot(page, cut))).toEqual([]);
});

test.each([null, 'page', {}, { object: 'page', id: '1' }])('%j is no page', (raw) => {
  expect(() => toPage(raw)).toThrow('Notion returned a page of an unknown shape');
});
