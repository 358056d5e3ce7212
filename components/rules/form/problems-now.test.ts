import { expect, test } from 'vitest';
import type { Rule, RuleProblem } from '@/lib/features/rules/schema';
import { goneFrom, problemsNow } from './problems-now';
import type { RuleFormValues } from './rule-terms';

const start: RuleFormValues = {
  name: null,
  eventType: 'date_near',
  databaseId: 'db',
  channelId: 'c',
  watchedProperties: [],
  statusTo: [],
  displayedFields: ['a'],
  conditions: { match: 'all', items: [] },
  actions: null,
  atOnce: false,
  card: 'each',
  destination: { kind: 'people', propertyId: '' },
  size: 'full',
  rollUp: true,
  timing: { kind: 'now' },
  urgent: false,
  schedule: { propertyId: '', days: 1, at: '09:00' },
  authors: { mode: 'anyone', people: [], bots: true },
  mentions: { people: 'concerned', roleIds: [], userIds: [] },
};

type Part = RuleProblem['part'];

function partsAfter(changed: Partial<RuleFormValues>): Part[] {
  const parts: Part[] = ['destination', 'schedule', 'displayedFields', 'conditions', 'actions'];
  const problems = parts.map((part) => ({ part, id: 'gone', text: `${part} is gone.` }));
  const rule = { databaseId: 'db', channelId: 'c', destination: start.destination, problems };
  const { ofSource } = problemsNow(rule as unknown as Rule, { ...start, ...changed }, start);
  return parts.filter((part) => goneFrom(part, ofSource) !== null);
}

test('what is gone from Notion is told until another is chosen in its place', () => {
  const all = partsAfter({});
  expect(all).toHaveLength(5);
  const without = (part: Part) => all.filter((each) => each !== part);
  expect(partsAfter({ destination: { kind: 'people', propertyId: 'p' } })).toEqual(without('destination'));
  expect(partsAfter({ schedule: { propertyId: 'p', days: 1, at: '09:00' } })).toEqual(without('schedule'));
  expect(partsAfter({ displayedFields: ['a', 'b'] })).toEqual(without('displayedFields'));
  const items = [{ propertyId: 'p', operator: 'is_empty' as const }];
  expect(partsAfter({ conditions: { match: 'all', items } })).toEqual(without('conditions'));
  expect(partsAfter({ actions: [] })).toEqual(without('actions'));
});

test('a change of something else leaves it', () => {
  expect(partsAfter({ name: 'Named' })).toEqual(partsAfter({}));
  expect(partsAfter({ schedule: { propertyId: '', days: 2, at: '10:00' } })).toContain('schedule');
});

test('nothing of another database concerns this one', () => {
  expect(partsAfter({ databaseId: 'other' })).toEqual([]);
});
