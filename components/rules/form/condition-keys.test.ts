import { expect, test } from 'vitest';
import { emptyCondition } from './condition-draft';
import { keyOf, replacing } from './condition-keys';

test('a condition keeps its key when it changes and when another is removed', () => {
  const first = emptyCondition('d', 'before');
  const second = emptyCondition('d', 'before');
  const keys = [first, second].map(keyOf);
  expect(keys[0]).not.toBe(keys[1]);
  const changed = replacing(second, { propertyId: 'd', operator: 'before', values: ['2026-11-24'] });
  expect([first, changed].map(keyOf)).toEqual(keys);
  expect([changed].map(keyOf)).toEqual(keys.slice(1));
});
