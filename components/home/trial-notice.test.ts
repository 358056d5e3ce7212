import { expect, test } from 'vitest';
import { trialNotice } from './trial-notice';

const now = new Date('2026-11-20T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();

function subscription(trialEndsAt: string | null, status = 'trial') {
  return {
    plan: 'starter',
    status,
    trial_ends_at: trialEndsAt,
    notificationsUsed: 0,
    notificationsLimit: 1000,
    rulesUsed: 0,
    rulesLimit: 10,
    notificationsByQuarter: [],
    periodStart: inDays(0),
    periodEnd: inDays(30),
    cancelsAt: null,
  };
}

test.each([
  { end: -0.01, notice: { kind: 'ended' } },
  { end: 0, notice: { kind: 'ended' } },
  { end: 0.2, notice: { kind: 'urgent', days: 1 } },
  { end: 3, notice: { kind: 'urgent', days: 3 } },
  { end: 3.1, notice: { kind: 'notice', days: 4 } },
  { end: 7, notice: { kind: 'notice', days: 7 } },
  { end: 7.1, notice: null },
])('a trial that ends in $end days', ({ end, notice }) => {
  expect(trialNotice(subscription(inDays(end)), now)).toEqual(notice);
});

test('nothing is said without a trial or without an end date', () => {
  expect(trialNotice(subscription(inDays(1), 'active'), now)).toBeNull();
  expect(trialNotice(subscription(null), now)).toBeNull();
});
