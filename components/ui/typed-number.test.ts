import { expect, test } from 'vitest';
import { numberIn, textOfNumber } from './typed-number';

test.each([
  ['1.05', undefined, 1.05],
  ['-0.5', undefined, -0.5],
  ['', undefined, Number.NaN],
  [' ', undefined, Number.NaN],
  ['-', undefined, Number.NaN],
  ['0', 1, Number.NaN],
  ['05', 1, 5],
] as const)('the number in "%s" with at least %s is %s', (text, least, number) => {
  expect(numberIn(text, least)).toBe(number);
});

test.each(['1.05', '-0.5', '100.00', '007', '1e3'])(
  'a field keeps each state of "%s" while typing',
  (text) => {
    for (let end = 1; end <= text.length; end += 1) {
      const typed = text.slice(0, end);
      expect(textOfNumber(numberIn(typed), typed)).toBe(typed);
      expect(textOfNumber(numberIn(typed, 1), typed, 1)).toBe(typed);
    }
  },
);

test('another number replaces what was typed', () => {
  expect(textOfNumber(7, '1.0')).toBe('7');
  expect(textOfNumber(7, '')).toBe('7');
  expect(textOfNumber(Number.NaN, '1.0')).toBe('');
});
