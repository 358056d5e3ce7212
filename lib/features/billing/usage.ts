import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { monthlyPeriod } from '@/lib/time';

export interface Usage {
  /** Messages that Discord confirmed in the period. */
  used: number;
  /** UTC days with messages, oldest first. */
  byDay: { day: string; sent: number }[];
  periodStart: Date;
  periodEnd: Date;
}

/** An account's usage in its current period: the calendar month from the day of sign-up. */
export async function getUsage(account: Account): Promise<Usage> {
  const { start, end } = monthlyPeriod(account.createdAt, new Date());
  const days = await db().usageDay.findMany({
    where: { accountId: account.id, day: { gte: start, lt: end } },
    orderBy: { day: 'asc' },
  });
  return {
    used: days.reduce((sum, { sent }) => sum + sent, 0),
    byDay: days.map(({ day, sent }) => ({ day: day.toISOString().slice(0, 10), sent })),
    periodStart: start,
    periodEnd: end,
  };
}
