import { expect, test } from 'vitest';
import type { Condition } from '@/lib/features/matching/schema';
import { findIncomplete, findNeed, sentConditions, summarise } from './condition-draft';

const DAYS = 'a number of days from 0 to 3650';
const within = (values: number[]): Condition => ({ propertyId: 'd', operator: 'within_next_days', values });

test.each([
  [{ propertyId: 'p', operator: 'is', values: [] }, 'a value'],
  [{ propertyId: 'p', operator: 'is', values: [-3] }, null],
  [{ propertyId: 'p', operator: 'is_empty' }, null],
  [{ propertyId: 'p', operator: 'changed', from: [], to: [] }, null],
  [within([]), DAYS],
  [within([-3]), DAYS],
  [within([1.5]), DAYS],
  [within([3651]), DAYS],
  [within([0]), null],
  [within([3650]), null],
] satisfies [Condition, string | null][])('%j needs %s', (condition, need) => {
  expect(findNeed(condition)).toBe(need);
});

test('a condition that needs something is found and not sent', () => {
  const items = [within([7]), within([3651])];
  expect(findIncomplete({ match: 'all', items })).toBe(1);
  expect(sentConditions({ match: 'all', items }, 'page_updated').items).toEqual([within([7])]);
});

test('the sentence about conditions keeps each name in its place', () => {
  const property = { id: 'p', name: 'מצב', type: 'select', options: [], isStatus: false };
  const items: Condition[] = [{ propertyId: 'p', operator: 'is', values: ['פתוח', 'סגור'] }];
  expect(summarise({ match: 'all', items }, [property], [])).toBe(
    '1 condition: \u2068מצב\u2069 is \u2068פתוח\u2069 or \u2068סגור\u2069.',
  );
});
