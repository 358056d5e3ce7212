import { expect, test } from 'vitest';
import { countJourneys, countTests } from './test-counts';

test('a test file that had not ended when the run was stopped has failed', () => {
  const results = {
    passed: 2,
    failed: ['lib/a.test.ts: a sum is kept'],
    running: ['lib/b.test.ts'],
  };

  expect(countTests(results)).toEqual({
    passed: 2,
    failed: ['lib/a.test.ts: a sum is kept', 'lib/b.test.ts: it did not end'],
  });
});

test('a failed journey is named wherever it stands, and so is one that was repeated', () => {
  const spec = (line: number, title: string, status: string) => ({ line, title, tests: [{ status }] });
  const inner = {
    file: 'a.spec.ts',
    specs: [spec(7, 'signs out', 'unexpected'), spec(9, 'waits', 'flaky')],
  };
  const outer = { file: 'a.spec.ts', specs: [spec(3, 'signs in', 'expected')], suites: [inner] };

  expect(countJourneys({ stats: { expected: 1, flaky: 1 }, suites: [outer], errors: [] })).toEqual({
    passed: 2,
    failed: ['a.spec.ts:7: signs out'],
    repeated: ['a.spec.ts:9: waits'],
  });
});

test('journeys that did not begin have failed', () => {
  const errors = [{ message: 'The build failed' }];

  expect(countJourneys({ stats: { expected: 0, flaky: 0 }, suites: [], errors })).toEqual({
    passed: 0,
    failed: ['The build failed'],
    repeated: [],
  });
});
