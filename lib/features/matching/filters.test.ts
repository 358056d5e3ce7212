import { expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { pageOf } from '@/lib/testing/page-of';
import { asItIs } from './conditions';
import {
  describeWatching,
  type FilteringRule,
  type FilterReason,
  filteredBy,
  findRefusal,
  openFilters,
  possibleRefusals,
  type TermNames,
  withoutFilters,
} from './filters';
import { type ReferringTerm, type RuleTerms, ruleTermsSchema } from './schema';

const STATUS = 'st';

/** A page whose status is the option with this id. */
function pageWith(optionId: string | null): Page {
  const status = optionId === null ? null : { id: optionId, name: `Name of ${optionId}` };
  const value = { ...toPropertyValue({ type: 'status', status }), name: 'Status' };
  return pageOf(new Map([[STATUS, value]]));
}

const rule = (changes: Partial<FilteringRule>): FilteringRule => ({
  ...ruleTermsSchema.parse({ eventType: 'page_updated' }),
  database: { statusPropertyId: STATUS },
  ...changes,
});

/** The names are those of the ids, unless others are given. */
const named = (names: Partial<TermNames> = {}): TermNames => ({
  property: (id) => id,
  value: (_, value) => String(value),
  listed: () => [],
  status: null,
  person: (id) => id,
  ...names,
});

const watching = (terms: Record<string, unknown>, hasCards?: boolean) =>
  describeWatching(ruleTermsSchema.parse({ eventType: 'page_created', ...terms }), named(), hasCards);

test.each<[string, Partial<FilteringRule>, Page, FilterReason | null]>([
  ['a rule without filters lets every page through', {}, pageWith(null), null],
  ['a status that the rule names passes', { statusTo: ['review', 'done'] }, pageWith('done'), null],
  ['another status does not', { statusTo: ['review'] }, pageWith('done'), 'filtered_by_status'],
  ['a page without a status does not', { statusTo: ['done'] }, pageWith(null), 'filtered_by_status'],
  [
    'once the database has no status, no page passes',
    { statusTo: ['done'], database: { statusPropertyId: null } },
    pageWith('done'),
    'filtered_by_status',
  ],
])('%s', (_, changes, page, refusal) => {
  expect(findRefusal(rule(changes), asItIs(page, new Date(0)))).toBe(refusal);
});

test.each([
  ['page_created', [], [], 'new pages'],
  ['page_updated', ['Status'], [], 'Status changes'],
  ['page_updated', ['Status', 'Priority'], [], 'Status or Priority change'],
  ['page_updated', ['Status', 'Priority', 'Due'], [], 'Status, Priority or 1 other change'],
  ['page_updated', ['Status', 'Priority', 'Due', 'Points'], [], 'Status, Priority or 2 others change'],
  ['page_updated', ['Status'], ['Done'], 'Status changes to Done'],
  ['page_updated', ['Priority'], ['Done', 'Cut'], 'Priority changes while Status is Done or Cut'],
  ['content_updated', [], [], 'edited content'],
  ['comment_created', [], [], 'new comments'],
  ['page_deleted', [], [], 'pages moved to the trash'],
  ['page_restored', [], [], 'restored pages'],
] as const)(
  'a rule for %s of %j with the statuses %j watches for: %s',
  (eventType, properties, statuses, text) => {
    const terms: RuleTerms = ruleTermsSchema.parse({
      eventType,
      watchedProperties: [...properties],
      statusTo: [...statuses],
    });
    const listed = (term: ReferringTerm) => terms[term];
    expect(describeWatching(terms, named({ listed, status: 'Status' }))).toBe(text);
  },
);

test.each([
  [{ mode: 'anyone', people: [], bots: true }, 'new pages'],
  [{ mode: 'anyone', people: [], bots: false }, 'new pages, not by bots'],
  [{ mode: 'only', people: ['Mira'], bots: false }, 'new pages, by Mira'],
  [{ mode: 'only', people: ['Mira'], bots: true }, 'new pages, by Mira or bots'],
  [{ mode: 'only', people: [], bots: true }, 'new pages, by bots'],
  [{ mode: 'except', people: ['Mira', 'Jonas'], bots: true }, 'new pages, not by Mira or Jonas'],
  [{ mode: 'except', people: ['Mira'], bots: false }, 'new pages, not by Mira or bots'],
] as const)('a rule for the authors %j watches for: %s', (authors, text) => {
  expect(watching({ authors })).toBe(text);
});

test.each([
  ['living', 'new pages · one card for each page, with a thread'],
  ['quiet', 'new pages · one card for each page'],
] as const)('a rule with %s cards watches for: %s', (card, text) => {
  expect(watching({ card })).toBe(text);
});

test.each([
  [{ size: 'compact' }, 'new pages · in one line'],
  [{ card: 'living', rollUp: true }, 'new pages · one card for each page, with a thread · floods counted'],
  [{ destination: { kind: 'forum' } }, 'new pages · one post for each page'],
  [
    { destination: { kind: 'forum' }, card: 'quiet' },
    'new pages · one post for each page, with silent lines',
  ],
] as const)('a rule with %j watches for: %s', (changed, text) => {
  expect(watching(changed)).toBe(text);
  const timing = { kind: 'digest', every: 'hour' };
  expect(watching({ ...changed, timing })).toBe('new pages, as a digest each hour');
  expect(watching(changed, false)).toBe('new pages');
});

test('what a filter says stands between whose work is posted and when', () => {
  const items = [{ propertyId: 'Points', operator: 'greater', values: [3] }];
  const authors = { bots: false };
  expect(watching({ authors, conditions: { items }, urgent: true })).toBe(
    'new pages, not by bots, if Points is more than 3, even in quiet hours',
  );
});

test('a rule without its filters lets through what it refused', () => {
  const strict = rule({
    statusTo: ['review'],
    conditions: { match: 'any', items: [{ propertyId: STATUS, operator: 'is', values: ['review'] }] },
  });
  const seen = asItIs(pageWith('done'), new Date(0));
  expect(findRefusal(strict, seen)).toBe('filtered_by_status');
  expect(findRefusal(withoutFilters(strict, ['filtered_by_status']), seen)).toBe('filtered_by_condition');
  expect(findRefusal(withoutFilters(strict), seen)).toBeNull();
  expect(possibleRefusals(strict)).toEqual([
    'filtered_by_status',
    'filtered_by_condition',
    'condition_unknown',
  ]);
  expect(possibleRefusals(withoutFilters(strict))).toEqual([]);
  expect(filteredBy(strict)).toEqual([STATUS]);
});

test('a filter is open while a property that it looks at is not known, except one that says so itself', () => {
  const strict = rule({
    statusTo: ['review'],
    conditions: { match: 'all', items: [{ propertyId: 'points', operator: 'is_empty' }] },
  });
  expect(openFilters(strict, () => true)).toEqual([]);
  expect(openFilters(strict, () => false)).toEqual(['filtered_by_status']);
  expect(openFilters({ ...strict, database: { statusPropertyId: null } }, () => true)).toEqual([
    'filtered_by_status',
  ]);
  expect(openFilters(rule({}), () => false)).toEqual([]);
});
