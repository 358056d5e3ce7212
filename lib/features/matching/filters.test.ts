import { expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { pageOf } from '@/lib/testing/page-of';
import { asItIs } from './conditions';
import { describeWatching, type FilteringRule, type FilterReason, findRefusal } from './filters';
import { ruleTermsSchema } from './schema';

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

const PLAIN = {
  card: 'each' as const,
  destination: { kind: 'channel' as const },
  size: 'full' as const,
  rollUp: false,
};

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
    const authors = { mode: 'anyone' as const, people: [], bots: true };
    const named = {
      properties: [...properties],
      status: 'Status',
      statuses: [...statuses],
      authors,
      conditions: '',
      timing: null,
      schedule: null,
      urgent: false,
      cards: PLAIN,
    };
    expect(describeWatching(eventType, named)).toBe(text);
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
  const named = {
    properties: [],
    status: null,
    statuses: [],
    authors: { ...authors, people: [...authors.people] },
    conditions: '',
    timing: null,
    schedule: null,
    urgent: false,
    cards: PLAIN,
  };
  expect(describeWatching('page_created', named)).toBe(text);
});

test.each([
  ['living', 'new pages · one card for each page, with a thread'],
  ['quiet', 'new pages · one card for each page'],
] as const)('a rule with %s cards watches for: %s', (card, text) => {
  const authors = { mode: 'anyone' as const, people: [], bots: true };
  const now = { timing: null, schedule: null, urgent: false };
  const named = {
    properties: [],
    status: null,
    statuses: [],
    authors,
    conditions: '',
    cards: { ...PLAIN, card },
    ...now,
  };
  expect(describeWatching('page_created', named)).toBe(text);
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
  const authors = { mode: 'anyone' as const, people: [], bots: true };
  const named = {
    properties: [],
    status: null,
    statuses: [],
    authors,
    conditions: '',
    timing: null,
    schedule: null,
  };
  const cards = { ...PLAIN, ...changed };
  expect(describeWatching('page_created', { ...named, urgent: false, cards })).toBe(text);
  const digest = { ...named, urgent: false, timing: 'digest each hour', cards };
  expect(describeWatching('page_created', digest)).toBe('new pages, as a digest each hour');
});
