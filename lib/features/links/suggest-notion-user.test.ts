import { expect, test } from 'vitest';
import { suggestNotionUser } from './suggest-notion-user';

const users = [
  { id: '1', name: 'Jonas Brandt' },
  { id: '2', name: 'jonas_b' },
  { id: '3', name: 'Twin' },
  { id: '4', name: 'Twin' },
];

test.each([
  ['the display name in any case', 'x', 'JONAS brandt ', '1'],
  ['the username', 'jonas_b', null, '2'],
  ['the display name before the username', 'jonas_b', 'Jonas Brandt', '1'],
  ['nobody when two have the name', 'x', 'Twin', null],
  ['nobody without the same name', 'jonas', 'Jonas', null],
])('suggests by %s', (_, discordUsername, discordDisplayName, expected) => {
  expect(suggestNotionUser({ discordUsername, discordDisplayName }, users)).toBe(expected);
});
