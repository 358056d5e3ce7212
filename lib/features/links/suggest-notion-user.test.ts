import { expect, test } from 'vitest';
import { suggestNotionUser } from './suggest-notion-user';

const users = [
  { id: '1', name: 'Jonas Brandt', email: 'jonas@lantern.example' },
  { id: '2', name: 'jonas_b', email: null },
  { id: '3', name: 'Twin', email: 'twin@lantern.example' },
  { id: '4', name: 'Twin', email: null },
];

test.each([
  ['the display name in any case', null, 'x', 'JONAS brandt ', '1'],
  ['the username', null, 'jonas_b', null, '2'],
  ['the display name before the username', null, 'jonas_b', 'Jonas Brandt', '1'],
  ['the e-mail address before any name', 'Twin@lantern.example', 'jonas_b', 'Jonas Brandt', '3'],
  ['the name when nobody has the address', 'other@lantern.example', 'jonas_b', null, '2'],
  ['nobody when two have the name', null, 'x', 'Twin', null],
  ['nobody without the same name', null, 'jonas', 'Jonas', null],
])('suggests by %s', (_, email, discordUsername, discordDisplayName, expected) => {
  expect(suggestNotionUser({ email, discordUsername, discordDisplayName }, users)).toBe(expected);
});
