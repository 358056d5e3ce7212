import { expect, test } from 'vitest';
import { findImportCycles } from './import-cycles';

const file = (path: string, ...imports: string[]) => ({ path, text: '', imports });

test('a cycle of imports is reported once, wherever it is entered', () => {
  const files = [file('a.ts', 'b'), file('b.ts', 'c', 'd'), file('c.mjs', 'd', 'b.ts'), file('d.tsx')];
  expect(findImportCycles(files)).toEqual([['b', 'c', 'b']]);
});

test('two ways to one file are not a cycle', () => {
  expect(
    findImportCycles([file('a.ts', 'b', 'c'), file('b.ts', 'd'), file('c.ts', 'd'), file('d.ts')]),
  ).toEqual([]);
});
