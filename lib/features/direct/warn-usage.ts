import type { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { transaction } from '@/lib/db/database';
import { env } from '@/lib/env';
import { STARTER, WARNING_THRESHOLD } from '../billing/plan';
import { hasOwnTrial } from '../billing/posting-permission';
import type { warnUsageJob } from '../billing/quota';
import { lockAccount } from '../tenancy/lock-account';
import { queueDirect } from './queue-direct';

/**
 * Tells the account holder that most, and later that all, of a period's notifications are used, once for each period.
 * If the bot cannot write to them, they see it on the dashboard.
 */
export async function warnUsage({
  accountId,
  periodStart,
}: z.infer<typeof warnUsageJob.payload>): Promise<void> {
  const startsAt = new Date(periodStart);
  const where = { accountId_startsAt: { accountId, startsAt } };
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const include = { account: { select: { discordUserId: true, status: true, paidPeriodStart: true } } };
    const period = await tx.usagePeriod.findUnique({ where, include });
    if (!period) return;
    const { sent, warnedMostAt, warnedAllAt, account } = period;
    const isAll = sent >= STARTER.notifications;
    if ((isAll ? warnedAllAt : warnedMostAt) || sent < WARNING_THRESHOLD) return;
    const at = new Date();
    // After the warning that all is used, the one about most of it is pointless.
    const data = isAll ? { warnedMostAt: warnedMostAt ?? at, warnedAllAt: at } : { warnedMostAt: at };
    await tx.usagePeriod.update({ where, data });
    const { discordUserId } = account;
    if (!discordUserId) return;
    const key = `usage:${accountId}:${periodStart}:${isAll}`;
    const told = { accountId, discordUserId, key, at, sourceId: accountId };
    await queueDirect(tx, { ...told, body: { content: textOf(sent, hasOwnTrial(account)) } });
  });
}

function textOf(sent: number, isTrial: boolean): string {
  const limit = STARTER.notifications;
  const page = `${env().APP_URL}/settings/billing`;
  return sent >= limit ? texts.allUsed(limit, isTrial, page) : texts.mostUsed(sent, limit, page);
}
