import { expect, test } from 'vitest';
import { findRelatedTests } from './related-tests';

const file = (path: string, ...imports: string[]) => ({ path, text: '', imports });
const FILES = [
  file('lib/far/door.test.ts', 'lib/far/door'),
  file('lib/far/door.ts', 'lib/near/middle'),
  file('lib/near/middle.ts', 'lib/ground.ts'),
  file('lib/ground.ts'),
  file('lib/near/other.test.ts'),
  file('lib/aside.test.ts'),
  file('app/api/routes.test.ts'),
];

test('a change concerns what imports it, and the tests beside it and above, the nearest first', () => {
  expect(findRelatedTests(['lib/near/middle.ts'], FILES)).toEqual([
    'lib/aside.test.ts',
    'lib/near/other.test.ts',
    'lib/far/door.test.ts',
  ]);
  expect(findRelatedTests(['lib/ground.ts'], FILES)).toEqual(['lib/aside.test.ts', 'lib/far/door.test.ts']);
});

test('what no test imports concerns the tests above it', () => {
  expect(findRelatedTests(['app/api/app/rules/route.ts', 'lib/near/select.sql'], FILES)).toEqual([
    'app/api/routes.test.ts',
    'lib/aside.test.ts',
    'lib/near/other.test.ts',
  ]);
});

test('a changed test comes first, and a change that no test knows concerns none', () => {
  expect(findRelatedTests(['lib/near/other.test.ts'], FILES)[0]).toBe('lib/near/other.test.ts');
  expect(findRelatedTests(['README.md'], FILES)).toEqual([]);
});
