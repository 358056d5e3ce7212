import { expect, test } from 'vitest';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { joinChanges, toSummary } from './summary';

const page = { title: 'Boss fight', url: '' };
const people = (...list: { id: string; name?: string }[]) =>
  toPropertyValue({ type: 'people', people: list });
const wordsOf = (after: ReturnType<typeof people>) =>
  toSummary(page, [{ propertyId: 'who', name: 'Assignee', before: null, after }]).changes[0]?.after;

test('people whom Notion does not name are counted as somebody', () => {
  expect(wordsOf(people({ id: 'a', name: 'Mira' }, { id: 'b' }))).toBe('Mira, Someone');
  expect(wordsOf(people({ id: 'b' }))).toBe('Someone');
  expect(wordsOf(people({ id: 'a', name: 'Mira' }, { id: 'c', name: 'Jonas' }))).toBe('Mira, Jonas');
  expect(wordsOf(people())).toBe('');
});

test('changes that were kept without the id of their property are joined by its name', () => {
  const old = { name: 'Stage', before: 'Backlog', after: 'Ready' };
  const named = { propertyId: 'st', name: 'Stage', before: 'Ready', after: 'In progress' };
  const renamed = { propertyId: 'st', name: 'Phase', before: 'In progress', after: 'Done' };
  expect(joinChanges([old, named, renamed])).toEqual([{ ...renamed, before: 'Backlog' }]);
});
