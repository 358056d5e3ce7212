import { expect, test } from 'vitest';
import { sentence } from './format';

test('a sentence ends with one full stop, although its date may bring one', () => {
  expect(sentence('The count starts anew on Dec 27')).toBe('The count starts anew on Dec 27.');
  expect(sentence('The count starts anew on 27. Dez.')).toBe('The count starts anew on 27. Dez.');
});
