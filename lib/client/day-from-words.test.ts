import { expect, test } from 'vitest';
import { dayFromWords } from './day-from-words';

// Late in the evening in UTC, and the next day in Kathmandu, where the tests run.
const NOW = new Date('2026-11-30T23:00:00Z');

test.each([
  ['today', '2026-12-01'],
  ['Tomorrow', '2026-12-02'],
  ['yesterday', '2026-11-30'],
  [' in  3 days ', '2026-12-04'],
  ['in 1 day', '2026-12-02'],
  ['in 2 weeks', '2026-12-15'],
  ['10 days ago', '2026-11-21'],
  ['next week', '2026-12-08'],
  ['in three days', null],
  ['3', null],
  ['', null],
])('"%s" is %s', (words, day) => {
  expect(dayFromWords(words, NOW)).toBe(day);
});
