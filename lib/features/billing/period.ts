import type { Account } from '@/lib/db/generated/client';
import { monthlyPeriod } from '@/lib/time';

export interface Period {
  start: Date;
  end: Date;
}

/**
 * The period in which an account's notifications count now: the paid period while it has a subscription, otherwise the
 * month counted from the day of sign-up. If a paid period is over and Stripe has not been read since, monthly periods
 * follow it.
 */
export function currentPeriod(
  account: Pick<Account, 'createdAt' | 'paidPeriodStart' | 'paidPeriodEnd'>,
  now: Date,
): Period {
  const { paidPeriodStart: start, paidPeriodEnd: end } = account;
  if (!start || !end || start >= end) return monthlyPeriod(account.createdAt, now);
  let period = { start, end };
  while (period.end <= now) period = { start: period.end, end: monthAfter(period.end) };
  return period;
}

function monthAfter(at: Date): Date {
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 2, 0)).getUTCDate();
  const after = new Date(at);
  after.setUTCMonth(at.getUTCMonth() + 1, Math.min(at.getUTCDate(), lastDay));
  return after;
}
