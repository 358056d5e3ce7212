import { expect, test } from 'vitest';
import {
  OVER_QUOTA,
  TRIAL_USED,
  TRIAL_USED_TOGETHER,
  toStatus,
  whyStopped,
  whyUsedUp,
} from './posting-permission';

const NOW = new Date('2026-11-20T12:00:00Z');
const PAST = new Date('2026-11-20T11:59:59Z');
const FUTURE = new Date('2026-11-20T12:00:01Z');

test.each([
  ['trialing', 'trial'],
  ['active', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['canceled', 'canceled'],
  ['incomplete_expired', 'canceled'],
  ['incomplete', 'incomplete'],
  ['paused', 'paused'],
  ['some_future_word', 'some_future_word'],
])('what Stripe calls %s is %s', (stripeStatus, status) => {
  expect(toStatus(stripeStatus)).toBe(status);
});

test.each([
  ['trial', FUTURE, true],
  ['trial', PAST, false],
  ['trial', NOW, false],
  ['active', PAST, true],
  ['incomplete', FUTURE, true],
  ['incomplete', PAST, false],
  ['past_due', FUTURE, false],
  ['canceled', FUTURE, false],
  ['paused', FUTURE, false],
])('with the status %s and the trial until %s, posting goes on: %s', (status, trialEndsAt, goesOn) => {
  expect(whyStopped({ status, trialEndsAt, paidPeriodStart: null }, NOW) === null).toBe(goesOn);
});

test.each([
  ['trial', PAST, true],
  ['active', PAST, true],
  ['past_due', FUTURE, false],
  ['paused', FUTURE, false],
])(
  'with a subscription whose status is %s and whose trial is until %s, posting goes on: %s',
  (status, trialEndsAt, goesOn) => {
    expect(whyStopped({ status, trialEndsAt, paidPeriodStart: PAST }, NOW) === null).toBe(goesOn);
  },
);

test('what stops an account has a code of its own besides its sentence', () => {
  const trial = { status: 'trial', paidPeriodStart: null };
  const paid = { status: 'active', paidPeriodStart: PAST };
  expect(whyUsedUp(paid, 999, false)).toBeNull();
  expect(whyUsedUp(paid, 1_000_000, false)).toEqual({ code: 'quota', reason: OVER_QUOTA });
  expect(whyUsedUp(trial, 1_000_000, false)).toEqual({ code: 'quota', reason: TRIAL_USED });
  expect(whyUsedUp(trial, 1_000_000, true)).toEqual({ code: 'quota', reason: TRIAL_USED_TOGETHER });
  const stops = ['trial', 'past_due', 'paused', 'canceled'].map((status) =>
    whyStopped({ status, trialEndsAt: PAST, paidPeriodStart: null }, NOW),
  );
  expect(stops).toEqual([
    { code: 'plan', reason: 'The trial has ended. Posting resumes with a subscription.' },
    { code: 'plan', reason: 'A payment is overdue. Posting resumes once it is made.' },
    { code: 'plan', reason: 'The subscription is paused. Posting resumes once it continues.' },
    { code: 'plan', reason: 'The subscription has ended. Posting resumes with a new one.' },
  ]);
});
