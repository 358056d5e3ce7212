import { expect, test } from 'vitest';
import type { Rule } from '@/lib/features/rules/schema';
import { pipelineStatus } from './pipeline-status';

type State = Rule['health']['state'];

const rule = (state: State, postedAt?: string) =>
  ({
    health: { state, reason: null, fix: null, until: null },
    enabled: state !== 'off',
    lastDelivery: postedAt ? { state: 'sent', reason: null, at: postedAt } : null,
  }) as Rule;
const rules = (...states: State[]) => states.map((state) => rule(state));
const tell = (...states: State[]) => {
  const { tone, text } = pipelineStatus(rules(...states));
  return `${tone}: ${text}`;
};

test('when all is well, it says so, and when the last card was posted', () => {
  const all = [
    rule('posting', '2026-11-22T10:00:00Z'),
    rule('idle'),
    rule('posting', '2026-11-22T11:00:00Z'),
  ];
  expect(pipelineStatus(all)).toEqual({
    tone: 'good',
    text: 'All 3 rules are posting',
    lastCardAt: '2026-11-22T11:00:00Z',
  });
  expect(pipelineStatus([rule('settling', '2026-11-22T10:00:00Z')]).text).toBe('Your rule is posting');
});

test.each<[string, State[]]>([
  ['idle: Nothing flows yet, because there is no rule', []],
  ['good: Your rule is ready', ['idle']],
  ['good: Both rules are ready', ['idle', 'idle']],
  ['idle: Your rule is switched off', ['off']],
  ['idle: Both rules are switched off', ['off', 'off']],
  ['good: 1 rule is posting, 1 is off', ['posting', 'off']],
  ['good: 2 rules are posting, 2 are off', ['posting', 'idle', 'off', 'off']],
  ['danger: Your rule cannot post', ['blocked']],
  ['danger: 2 of 3 rules cannot post', ['blocked', 'blocked', 'posting']],
  ['danger: None of your 2 rules can post', ['blocked', 'blocked']],
  ['danger: 1 of 4 rules cannot post, 2 need repair', ['blocked', 'broken', 'broken', 'posting']],
  ['danger: 1 of 2 rules failed to post its last card', ['failed', 'posting']],
  ['warning: All 3 rules are held', ['held', 'held', 'held']],
  ['warning: 1 of 2 rules waits to post', ['waiting', 'off']],
])('%s', (sentence, states) => {
  expect(tell(...states)).toBe(sentence);
});

test('a card that failed is not the last one that was posted', () => {
  const failed = rule('failed');
  failed.lastDelivery = { state: 'failed', reason: null, at: '2026-11-22T11:00:00Z' };
  expect(pipelineStatus([failed, rule('posting', '2026-11-22T10:00:00Z')]).lastCardAt).toBe(
    '2026-11-22T10:00:00Z',
  );
});
