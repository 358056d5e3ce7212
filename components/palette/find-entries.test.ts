import { Waypoints } from 'lucide-react';
import { expect, test } from 'vitest';
import { type Entry, findEntries } from './find-entries';

const entry = (label: string, more: Partial<Entry> = {}): Entry => ({
  id: label,
  label,
  icon: Waypoints,
  run: () => {},
  ...more,
});

const groups = [
  { heading: 'Pages', entries: [entry('Home'), entry('Rules'), entry('Billing', { words: 'plan usage' })] },
  {
    heading: 'Actions',
    entries: [entry('Refresh Notion'), entry('New Rule', { hint: 'All 10 rules are in use' })],
  },
];
const found = (query: string) =>
  findEntries(groups, query).map(({ heading, entries }) => [heading, ...entries.map(({ label }) => label)]);

test('an empty query finds everything in its order', () => {
  expect(found('  ')).toEqual([
    ['Pages', 'Home', 'Rules', 'Billing'],
    ['Actions', 'Refresh Notion', 'New Rule'],
  ]);
});

test('every word must be in the label, the hint or the other words, in any order and case', () => {
  expect(found('rule NEW')).toEqual([['Actions', 'New Rule']]);
  expect(found('usage')).toEqual([['Pages', 'Billing']]);
  expect(found('10 rules')).toEqual([['Actions', 'New Rule']]);
  expect(found('new zebra')).toEqual([]);
});

test('an accent is found however it is stored', () => {
  const [group] = findEntries([{ heading: 'Databases', entries: [entry('Re\u0301visions')] }], 'r\u00e9v');
  expect(group?.entries).toHaveLength(1);
});

test('labels that begin with the query come first, and ten of a group are enough', () => {
  const many = Array.from({ length: 20 }, (_, at) => entry(`Page ${at} of the docs`));
  const [group] = findEntries([{ heading: 'Documentation', entries: [...many, entry('Docs')] }], 'docs');
  expect(group?.entries).toHaveLength(10);
  expect(group?.entries[0]?.label).toBe('Docs');
});
