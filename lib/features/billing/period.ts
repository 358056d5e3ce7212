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
  for (let months = 1; period.end <= now; months += 1)
    period = { start: period.end, end: monthsAfter(end, months) };
  return period;
}

/** The same time so many months later, in a shorter month on its last day. */
function monthsAfter(at: Date, months: number): Date {
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0)).getUTCDate();
  const after = new Date(at);
  after.setUTCMonth(at.getUTCMonth() + months, Math.min(at.getUTCDate(), lastDay));
  return after;
}
