import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { currentPeriod } from './period';
import { countOf, readCount } from './period-count';
import { STARTER } from './plan';
import type { LedgerEntry, UsagePeriod } from './schema';

export interface Usage {
  /** Messages that Discord confirmed in the period, including those of other accounts that share the trial. */
  used: number;
  isTrialShared: boolean;
  /** How many of them Discord confirmed in each quarter of an hour, oldest first. */
  byQuarter: { at: Date; sent: number }[];
  periodStart: Date;
  periodEnd: Date;
}

/** An account's usage in its current period. */
export async function getUsage(account: Account): Promise<Usage> {
  const { start, end } = currentPeriod(account, new Date());
  const [{ sent: used, isShared: isTrialShared }, byQuarter] = await Promise.all([
    readCount(account.id, start),
    db().$queryRaw<{ at: Date; sent: number }[]>`
      select date_bin('15 minutes', finished_at, 'epoch'::timestamptz) as at, count(*)::int as sent
      from message
      where account_id = ${account.id}::uuid and usage_period_start = ${start}::timestamptz and state = 'sent'
      group by 1 order by 1`,
  ]);
  return { used, isTrialShared, byQuarter, periodStart: start, periodEnd: end };
}

/**
 * Every period with usage, the newest first, with the count that its limit is about: that of a shared trial includes
 * what other accounts used of it.
 */
export async function listUsagePeriods(account: Account): Promise<UsagePeriod[]> {
  const periods = await db().usagePeriod.findMany({
    where: { accountId: account.id },
    orderBy: { startsAt: 'desc' },
  });
  return Promise.all(
    periods.map(async (period) => ({
      periodStart: period.startsAt.toISOString(),
      periodEnd: period.endsAt.toISOString(),
      notificationsUsed: (await countOf(period)).sent,
      notificationsLimit: STARTER.notifications,
    })),
  );
}

/**
 * The account's own messages behind a period's count, in the order in which they were sent. Throws `not_found`.
 */
export async function listLedger(account: Account, periodStart: Date): Promise<LedgerEntry[]> {
  const accountId = account.id;
  const where = { accountId_startsAt: { accountId, startsAt: periodStart } };
  if (!(await db().usagePeriod.findUnique({ where }))) throw new AppError('not_found', 'No such period.');
  const sent = await db().$queryRaw<(Omit<LedgerEntry, 'sentAt'> & { finishedAt: Date | null })[]>`
    select coalesce((select channel_id from conversation c where m.kind = 'letter' and c.id::text = m.target_id),
        m.target_id) as "channelId", m.discord_message_id as "messageId", r.id as "ruleId",
      m.finished_at as "finishedAt"
    from message m left join rule r on r.id = m.source_id
    where m.account_id = ${accountId}::uuid and m.usage_period_start = ${periodStart}::timestamptz and m.state = 'sent'
    order by m.finished_at, m.sequence`;
  return sent.map(({ finishedAt, ...entry }) => ({ ...entry, sentAt: finishedAt?.toISOString() ?? null }));
}
