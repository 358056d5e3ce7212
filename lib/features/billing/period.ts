import type { Account } from '@/lib/db/generated/client';
import { monthlyPeriod } from '@/lib/time';

export interface Period {
  start: Date;
  end: Date;
}

/**
 * The period in which an account's notifications count now: its paid period while it is subscribed, else the
 * month from the day of sign-up. A paid period that is over before Stripe was read again goes on by months.
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
