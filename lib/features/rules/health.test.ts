import { expect, test } from 'vitest';
import { ruleHealth } from './health';
import { problemsOfDatabase } from './problems';

const sound = { enabled: true, problems: [], blocked: null, stopped: null, retry: null, last: null };
const gone = {
  part: 'watchedProperties' as const,
  id: 'p',
  text: 'A watched property was deleted in Notion: nothing is posted for it any more.',
};
const unpinged = { part: 'mentions' as const, id: 'r', text: 'The bot cannot ping @Leads in #tasks.' };
const blocked = { reason: 'Send Messages is denied.', fix: 'Allow it.' };
const last = (state: string, reason: string | null = null) => ({ state, reason });
const at = new Date('2026-11-21T14:05:00Z');

test.each([
  ['nothing yet', {}, { state: 'idle' }],
  ['a card that arrived', { last: last('sent') }, { state: 'posting' }],
  ['a new page', { last: last('settling') }, { state: 'settling' }],
  ['a card on its way', { last: last('waiting') }, { state: 'waiting', reason: null, until: null }],
  [
    'a card to be tried again',
    { last: last('waiting'), retry: { reason: 'Discord did not answer.', at } },
    { state: 'waiting', reason: 'Discord did not answer.', until: '2026-11-21T14:05:00.000Z' },
  ],
  [
    'an earlier trouble of the channel',
    { last: last('sent'), retry: { reason: 'x', at } },
    { state: 'posting', until: null },
  ],
  ['a card that failed', { last: last('failed', 'Too long.') }, { state: 'failed', reason: 'Too long.' }],
  [
    'an ended trial',
    { last: last('sent'), stopped: 'The trial has ended.' },
    { state: 'held', reason: 'The trial has ended.' },
  ],
  [
    'held cards of a time that is over',
    { last: last('held', 'The trial has ended.') },
    { state: 'idle', reason: null },
  ],
  ['a closed channel', { last: last('sent'), blocked }, { state: 'blocked', ...blocked }],
  ['a closed channel of a rule that is off', { enabled: false, blocked }, { state: 'off', reason: null }],
  [
    'what is gone, also of a rule that is off',
    { enabled: false, problems: [gone, gone] },
    { state: 'broken', reason: gone.text },
  ],
  [
    'a role that cannot be pinged',
    { problems: [unpinged], last: last('sent') },
    { state: 'posting', reason: null },
  ],
  [
    'a role that cannot be pinged, and what is gone',
    { problems: [unpinged, gone] },
    { state: 'broken', reason: gone.text },
  ],
])('the health of a rule with %s', (_, facts, expected) => {
  expect(ruleHealth({ ...sound, ...facts })).toMatchObject(expected);
});

const rule: Parameters<typeof problemsOfDatabase>[0] = {
  databaseId: 'd',
  watchedProperties: ['s'],
  statusTo: ['o1'],
  displayedFields: ['f'],
  conditions: { match: 'all', items: [] },
  schedule: null,
  destination: { kind: 'channel' },
  actions: ['set:f'],
};
const property = (
  id: string,
  type = 'number',
  options: { id: string; name: string; color: string }[] = [],
) => ({
  id,
  name: id,
  type,
  options,
  groups: [],
});
const option = { id: 'o1', name: 'Renamed since', color: 'green' };
const database = (properties: ReturnType<typeof property>[], isShared = true) => ({
  name: 'Tasks',
  isShared,
  properties,
  statusPropertyId: properties.find(({ type }) => type === 'status')?.id ?? null,
  formerNames: { f: 'Effort', o1: 'Parked' },
});

test('names may change: a rule refers to ids', () => {
  const properties = [property('s', 'status', [option]), property('f')];
  expect(problemsOfDatabase(rule, database(properties))).toEqual([]);
});

test('each property and option that is gone is a problem', () => {
  expect(problemsOfDatabase(rule, database([property('s', 'status')]))).toEqual([
    {
      part: 'statusTo',
      id: 'Parked',
      text: 'The status "Parked" was deleted in Notion: no page can have it any more.',
    },
    {
      part: 'displayedFields',
      id: 'f',
      text: 'The displayed field "Effort" was deleted in Notion: cards leave it out.',
    },
    {
      part: 'actions',
      id: 'set:f',
      text: 'The property "Effort" that a button sets was deleted in Notion, or changed its type: cards leave the button out.',
    },
  ]);
});

test('one whose name was never known is a problem without a name', () => {
  expect(problemsOfDatabase(rule, database([property('f')]))).toMatchObject([
    {
      part: 'watchedProperties',
      id: 's',
      text: 'A watched property was deleted in Notion: nothing is posted for it any more.',
    },
    { part: 'statusTo' },
  ]);
});

test.each([
  [
    'deleted',
    [],
    'The property "Owner" that names whom the rule tells was deleted in Notion: nobody is told any more.',
  ],
  [
    'converted',
    [property('p', 'rich_text')],
    'The property "p" that names whom the rule tells was changed in Notion and holds no people any more: nobody is told.',
  ],
  ['there', [property('p', 'people')], null],
])('the property with the people whom a rule tells is %s', (_, more, text) => {
  const telling = { ...rule, statusTo: [], destination: { kind: 'people' as const, propertyId: 'p' } };
  const known = { ...database([property('s'), property('f'), ...more]), formerNames: { p: 'Owner' } };
  expect(problemsOfDatabase(telling, known)).toEqual(text ? [{ part: 'destination', id: 'p', text }] : []);
});

test('for a database that is gone, no other problem is listed', () => {
  const text = 'The database "Tasks" was deleted in Notion, or is no longer shared with Pagewire.';
  expect(problemsOfDatabase(rule, database([], false))).toEqual([{ part: 'database', id: 'd', text }]);
});
