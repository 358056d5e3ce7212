import type { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { db, transaction } from '@/lib/db/database';
import { env } from '@/lib/env';
import { enqueue } from '@/lib/queue/enqueue';
import { countOf, listUnwarned } from '../billing/period-count';
import { STARTER, WARNING_THRESHOLD } from '../billing/plan';
import { hasOwnTrial, isOnTrial } from '../billing/posting-permission';
import { warnUsageJob } from '../billing/quota';
import { lockAccount } from '../tenancy/lock-account';
import { queueDirect } from './queue-direct';

type Period = z.infer<typeof warnUsageJob.payload>;

/**
 * Tells the account holder that most, and later that all, of a period's notifications are used, once for each period.
 * If the bot cannot write to them, they see it on the dashboard. What is used of a shared trial is told to each holder
 * who shares it, by a job of their own.
 */
export async function warnUsage(period: Period): Promise<void> {
  await warnHolder(period);
  for (const { accountId, startsAt } of await listUnwarned(period.accountId, new Date(period.periodStart))) {
    await enqueue(db(), warnUsageJob, { accountId, periodStart: startsAt.toISOString() });
  }
}

async function warnHolder({ accountId, periodStart }: Period): Promise<void> {
  const where = { accountId_startsAt: { accountId, startsAt: new Date(periodStart) } };
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const period = await tx.usagePeriod.findUnique({ where, include: { account: true } });
    if (!period) return;
    const { warnedMostAt, warnedAllAt, account } = period;
    const { sent, isShared } = await countOf(period, tx);
    const isAll = sent >= STARTER.notifications;
    if ((isAll ? warnedAllAt : warnedMostAt) || sent < WARNING_THRESHOLD) return;
    const at = new Date();
    // Whoever pays by now has left the trial, and the others go on using it.
    if (isShared && !isOnTrial(account, at)) return;
    // After the warning that all is used, the one about most of it is pointless.
    const data = isAll ? { warnedMostAt: warnedMostAt ?? at, warnedAllAt: at } : { warnedMostAt: at };
    await tx.usagePeriod.update({ where, data });
    const { discordUserId } = account;
    if (!discordUserId) return;
    const key = `usage:${accountId}:${periodStart}:${isAll}`;
    const told = { accountId, discordUserId, key, at, sourceId: accountId };
    const content = isShared ? sharedTextOf(sent) : textOf(sent, hasOwnTrial(account));
    await queueDirect(tx, { ...told, body: { content } });
  });
}

const limit = STARTER.notifications;
const page = () => `${env().APP_URL}/settings/billing`;

const textOf = (sent: number, isTrial: boolean) =>
  sent >= limit ? texts.allUsed(limit, isTrial, page()) : texts.mostUsed(sent, limit, isTrial, page());

const sharedTextOf = (sent: number) =>
  sent >= limit ? texts.allUsedTogether(limit, page()) : texts.mostUsedTogether(sent, limit, page());
