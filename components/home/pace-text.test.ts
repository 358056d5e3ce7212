import { expect, test } from 'vitest';
import { goesOnBy, paceText } from './pace-text';
import type { PlanPace } from './plan-pace';

const END = '2026-12-06T12:00:00.000Z';
const LATER = '2027-02-01T12:00:00.000Z';
const PACES: PlanPace[] = [
  { kind: 'used_up' },
  { kind: 'runs_out', at: new Date('2026-11-30T12:00:00Z') },
  { kind: 'lasts', expected: 300 },
  { kind: 'unknown' },
];

function textsFor(status: string, cancelsAt: string | null): string[] {
  const goesOn = goesOnBy({ status, trial_ends_at: null, periodEnd: END, cancelsAt });
  return PACES.map((pace) => paceText(pace, new Date(END), goesOn));
}

test.each([
  ['that renews', null],
  ['that ends after it has renewed', LATER],
])('the count of a subscription %s starts anew', (_, cancelsAt) => {
  for (const text of textsFor('active', cancelsAt)) expect(text).toMatch(/count starts anew/);
});

test('a subscription that was cancelled ends, and its count does not start anew', () => {
  for (const text of textsFor('active', END)) {
    expect(text).toMatch(/he subscription ends/);
    expect(text).not.toContain('anew');
  }
});

test('once it has ended, only another one helps', () => {
  for (const text of textsFor('canceled', null))
    expect(text).toMatch(/Posting resumes with a subscription\.$/);
});
