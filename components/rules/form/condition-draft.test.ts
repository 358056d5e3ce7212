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

test('the summary keeps its order beside names that are read from right to left', () => {
  const mood = {
    id: 'p',
    name: 'מצב (1)',
    type: 'select',
    options: [],
    isStatus: false,
  };
  const items: Condition[] = [{ propertyId: 'p', operator: 'is', values: ['טוב!', 'Fine'] }];
  expect(summarise({ match: 'all', items }, [mood], [])).toBe(
    '1 condition: \u2068מצב (1)\u2069 is \u2068טוב!\u2069 or Fine.',
  );
});
