import { expect, test } from 'vitest';
import { iconSchema } from './notion-icon';

const url = 'https://pictures.example/a.png';

test.each([
  ['an emoji', { type: 'emoji', emoji: '🔥' }, '🔥'],
  ['a picture elsewhere', { type: 'external', external: { url } }, url],
  ['an uploaded picture, whose address ends within the hour', { type: 'file', file: { url } }, null],
  ['nothing', null, null],
])('the icon of %s', (_, raw, icon) => {
  expect(iconSchema.parse(raw)).toBe(icon);
});
