import { describe, expect, test } from 'vitest';
import { findTroubles, type LostConnection } from '@/components/rules/troubles/find-troubles';
import { ruleTermsSchema } from '@/lib/features/matching/schema';
import type { Rule } from '@/lib/features/rules/schema';
import {
  type Arrangement,
  arrangeRules,
  readArrangement,
  sentenceOf,
  writeArrangement,
} from './arrange-rules';

const calm: Rule['health'] = { state: 'posting', reason: null, fix: null, until: null };
const rule = (id: string, changes: Partial<Rule> = {}): Rule => ({
  ...ruleTermsSchema.parse({ eventType: 'page_updated' }),
  id,
  source: { kind: 'database', databaseId: 'd1' },
  sourceName: 'Sprint board',
  pageTitle: null,
  sourceIcon: null,
  sourceUrl: null,
  databaseId: 'd1',
  databaseName: 'Sprint board',
  databaseType: 'task',
  dbType: 'task',
  channelId: 'c1',
  channelName: 'tasks',
  place: `#${changes.channelName ?? 'tasks'}`,
  enabled: true,
  watching: 'Status changes',
  lastDelivery: null,
  health: calm,
  problems: [],
  ...changes,
});
const bugs = {
  source: { kind: 'database' as const, databaseId: 'd2' },
  sourceName: 'Bug reports',
  databaseId: 'd2',
  databaseName: 'Bug reports',
  channelId: 'c2',
  channelName: 'bugs',
};
const reading = rule('hebrew', { ...bugs, sourceName: 'לוח (1)!', channelName: 'באגים' });
const sentAt = (at: string) => ({ lastDelivery: { state: 'sent', reason: null, at } }) as const;
const blocked = (reason: string): Partial<Rule> => ({ health: { ...calm, state: 'blocked', reason } });
const everything = readArrangement(new URLSearchParams());

test('a rule with names that are read from right to left is a sentence in order, and is searched as it reads', () => {
  expect(sentenceOf(reading)).toBe('\u2068לוח (1)!\u2069: Status changes → \u2068#באגים\u2069');
  const text = '(1)!: status changes → #';
  expect(arrangeRules([rule('other'), reading], { ...everything, text })).toEqual([reading]);
});

describe('rules are arranged', () => {
  const rules = [
    rule('newest', sentAt('2026-11-20T00:00:00Z')),
    rule('off', { enabled: false, health: { ...calm, state: 'off' } }),
    rule('bugs', {
      ...bugs,
      name: 'Release radar',
      watching: 'new pages',
      ...sentAt('2026-11-21T00:00:00Z'),
    }),
    rule('blocked', { ...bugs, ...blocked('Denied.') }),
  ];
  const arranged = (changes: Partial<Arrangement>) =>
    arrangeRules(rules, { ...everything, ...changes }).map(({ id }) => id);

  test.each<[Partial<Arrangement>, string[]]>([
    [{}, ['newest', 'off', 'bugs', 'blocked']],
    [{ text: ' sprint BOARD: status ' }, ['newest', 'off']],
    [{ text: '→ #bugs' }, ['bugs', 'blocked']],
    [{ databaseId: 'd2' }, ['bugs', 'blocked']],
    [{ text: 'release RADAR' }, ['bugs']],
    [{ channelId: 'c1' }, ['newest', 'off']],
    [{ state: 'on' }, ['newest', 'bugs', 'blocked']],
    [{ state: 'off' }, ['off']],
    [{ state: 'trouble' }, ['blocked']],
    [{ sort: 'database' }, ['bugs', 'blocked', 'newest', 'off']],
    [{ sort: 'channel' }, ['bugs', 'blocked', 'newest', 'off']],
    [{ sort: 'state' }, ['blocked', 'newest', 'off', 'bugs']],
    [{ sort: 'card' }, ['bugs', 'newest', 'off', 'blocked']],
    [{ text: 'nothing like it' }, []],
  ])('by %j', (changes, ids) => {
    expect(arranged(changes)).toEqual(ids);
  });

  test('as the address says, which keeps what else it holds', () => {
    const chosen: Arrangement = { text: 'a&b', databaseId: 'd1', channelId: '', state: 'off', sort: 'card' };
    const query = writeArrangement(new URLSearchParams('mode=app&place=c9'), chosen);
    expect(query.get('mode')).toBe('app');
    expect(readArrangement(new URLSearchParams(query.toString()))).toEqual(chosen);
    expect(writeArrangement(query, everything).toString()).toBe('mode=app');
    expect(readArrangement(new URLSearchParams('state=constructor&sort=worst'))).toEqual(everything);
  });
});

describe('a trouble is told once', () => {
  const bot: LostConnection = { service: 'Discord', href: '/discord', problem: 'The bot is gone.' };
  const notion: LostConnection = { service: 'Notion', href: '/notion', problem: 'Connect again.' };
  const shownOf = (rules: Rule[], lost: LostConnection[] = []) =>
    findTroubles(rules, lost).map(({ title, rules: stopped }) => [title, stopped.map(({ id }) => id)]);

  test('for all rules of a channel that refuses', () => {
    const rules = [
      rule('1', blocked('Denied.')),
      rule('2', { ...bugs, ...blocked('Denied.') }),
      rule('3', blocked('Denied.')),
      rule('4'),
    ];
    expect(shownOf(rules)).toEqual([
      ['Cannot post in #tasks', ['1', '3']],
      ['Cannot post in #bugs', ['2']],
    ]);
  });

  test('for all rules of a connection that is lost', () => {
    const rules = [
      rule('1', blocked('The bot is gone.')),
      rule('2', { ...bugs, ...blocked('The bot is gone.') }),
    ];
    expect(shownOf(rules, [bot])).toEqual([['Connection lost', ['1', '2']]]);
  });

  test('for each connection that is lost, whichever of them the rules name', () => {
    const rules = [rule('1', blocked('The bot is gone.')), rule('2', blocked('Denied.'))];
    expect(shownOf(rules, [bot, notion])).toEqual([
      ['Connection lost', ['1']],
      ['Connection lost', ['1']],
      ['Cannot post in #tasks', ['2']],
    ]);
    expect(shownOf([], [notion])).toEqual([['Connection lost', []]]);
  });

  test('for all rules that lack the same thing in Notion', () => {
    const broken = (reason: string): Partial<Rule> => ({ health: { ...calm, state: 'broken', reason } });
    const rules = [
      rule('1', broken('A was deleted.')),
      rule('2', broken('A was deleted.')),
      rule('3', broken('B.')),
    ];
    expect(shownOf(rules)).toEqual([
      ['Changed in Notion', ['1', '2']],
      ['Changed in Notion', ['3']],
    ]);
  });
});
