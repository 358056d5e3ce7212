import { expect, test } from 'vitest';
import { describeAsked, whyUnreached } from './recipient-words';

const person = (name: string, notify: 'on' | 'off' = 'off', problem: string | null = null) => ({
  notion_display_name: name,
  notify,
  inbox_problem: problem,
});

test.each([
  [[person('Mira', 'on')], ''],
  [[person('Mira'), person('Jonas', 'on')], ' Mira has not said yes yet.'],
  [[person('Mira'), person('Jonas')], ' Mira and Jonas have not said yes yet.'],
  [['Mira', 'Jonas', 'Ines', 'Tom', 'Ada'].map((name) => person(name)), ' Mira, Jonas, Ines and 2 more have'],
  [[person('דנה'), person('נועם')], ' \u2068דנה\u2069 and \u2068נועם\u2069 have not said yes yet.'],
])('of %j it says %j', (linked, text) => {
  const said = describeAsked(linked);
  expect(said).toMatch(/^In direct messages, never about what they did themselves\./);
  expect(said.replace(/^.*?themselves\./, '')).toMatch(new RegExp(`^${text}`));
  expect(said.endsWith(text === '' ? 'themselves.' : 'They can do so with /notion notify in Discord.')).toBe(
    true,
  );
});

test('why a person gets no messages', () => {
  expect(whyUnreached(person('Mira', 'on'))).toBeNull();
  expect(whyUnreached(person('דנה'))).toMatch(/^\u2068דנה\u2069 has not said yes to direct messages/);
  expect(whyUnreached(person('דנה', 'on', 'The person left.'))).toBe(
    'Discord does not deliver direct messages to \u2068דנה\u2069: The person left.',
  );
});
