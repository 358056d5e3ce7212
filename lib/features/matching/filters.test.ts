import { expect, test } from 'vitest';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { type FilteringRule, type FilterReason, findRefusal } from './filters';
import { ruleTermsSchema } from './schema';

const STATUS = 'st';

/** A page whose status is the option with this id. */
function pageWith(optionId: string | null): Page {
  const status = optionId === null ? null : { id: optionId, name: `Name of ${optionId}` };
  const value = { ...toPropertyValue({ type: 'status', status }), name: 'Status' };
  return {
    id: 'page',
    url: '',
    title: 'Page',
    createdBy: null,
    lastEditedBy: null,
    createdAt: new Date(0),
    isTrashed: false,
    lastEditedAt: new Date(0),
    databaseId: 'db',
    values: new Map([[STATUS, value]]),
  };
}

const rule = (changes: Partial<FilteringRule>): FilteringRule => ({
  ...ruleTermsSchema.parse({ eventType: 'page_updated' }),
  database: { statusPropertyId: STATUS },
  ...changes,
});

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
  expect(findRefusal(rule(changes), page)).toBe(refusal);
});
