import { expect, test } from 'vitest';
import type { Authors, Mentions } from '@/lib/features/matching/schema';
import { describePeople } from './people-summary';

const names = {
  people: new Map([
    ['m', 'Mira'],
    ['j', 'Jonas'],
    ['d', 'דנה'],
    ['n', 'נועם'],
  ]),
  roles: new Map([['r', '@Leads']]),
  users: new Map([['u', 'Jonas']]),
};
const anyone: Authors = { mode: 'anyone', people: [], bots: true };
const concerned: Mentions = { people: 'concerned', roleIds: [], userIds: [] };

test.each<[Partial<Authors>, string]>([
  [{}, 'What anyone did.'],
  [{ bots: false }, 'What anyone but bots did.'],
  [{ mode: 'only', people: ['m', 'j'], bots: false }, 'Only what Mira or Jonas did.'],
  [{ mode: 'only', people: ['m'] }, 'Only what Mira or bots did.'],
  [{ mode: 'only', people: ['d', 'n'] }, 'Only what \u2068דנה\u2069, \u2068נועם\u2069 or bots did.'],
  [{ mode: 'only', bots: false }, 'Only what nobody did.'],
  [
    { mode: 'except', people: ['m', 'x'], bots: false },
    'What anyone but Mira, somebody who left or bots did.',
  ],
  [{ mode: 'except', people: ['m', 'j', 'x', 'y'] }, 'What anyone but Mira, Jonas or 2 others did.'],
])('authors %j read: %s', (authors, sentence) => {
  const text = describePeople({ authors: { ...anyone, ...authors }, mentions: concerned }, names);
  expect(text).toBe(`${sentence} Pings the people on the card.`);
});

test.each<[Partial<Mentions>, string]>([
  [{ people: 'assignees' }, 'Pings the assignees.'],
  [{ people: 'none' }, 'Pings nobody.'],
  [{ people: 'none', roleIds: ['r'] }, 'Pings @Leads.'],
  [{ roleIds: ['r'], userIds: ['u'] }, 'Pings the people on the card, @Leads and Jonas.'],
])('pings %j read: %s', (mentions, sentence) => {
  const text = describePeople({ authors: anyone, mentions: { ...concerned, ...mentions } }, names);
  expect(text).toBe(`What anyone did. ${sentence}`);
});
