import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { hash } from '@/lib/crypto';
import { db } from '@/lib/db/database';
import { env } from '@/lib/env';
import { sendDirectMessage } from '@/lib/integrations/discord/discord-direct';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { defineJob } from '@/lib/queue/define-job';
import { MOST_NOTIFICATIONS, STARTER } from './plan';

export const warnUsageJob = defineJob({
  name: 'warn-usage',
  payload: z.object({
    accountId: z.uuid(),
    /** Start of the period. */
    periodStart: z.iso.datetime(),
  }),
  key: ['accountId'],
});

type WarnJob = z.infer<typeof warnUsageJob.payload>;

/**
 * Tells the account holder in Discord, once in a period each, that most or all of it is used. Whoever takes no
 * messages from the bot sees it on the dashboard. Throws what is worth a retry.
 */
export async function warnUsage({ accountId, periodStart }: WarnJob): Promise<void> {
  const startsAt = new Date(periodStart);
  const period = await db().usagePeriod.findUnique({
    where: { accountId_startsAt: { accountId, startsAt } },
    include: { account: { select: { discordUserId: true } } },
  });
  if (!period) return;
  const isAll = period.sent >= STARTER.notifications;
  const warnedAt = isAll ? period.warnedAllAt : period.warnedMostAt;
  if (warnedAt || period.sent < MOST_NOTIFICATIONS) return;
  const { discordUserId } = period.account;
  if (discordUserId) {
    await tell(accountId, discordUserId, period.sent, hash(`${accountId}${periodStart}${isAll}`));
  }
  const now = new Date();
  // Whoever has been told of the whole limit need not be told of most of it.
  await db().usagePeriod.updateMany({
    where: { accountId, startsAt },
    data: isAll ? { warnedMostAt: period.warnedMostAt ?? now, warnedAllAt: now } : { warnedMostAt: now },
  });
}

async function tell(accountId: string, discordUserId: string, sent: number, key: string): Promise<void> {
  const limit = STARTER.notifications;
  const page = `${env().APP_URL}/settings/billing`;
  const content = sent >= limit ? texts.allUsed(limit, page) : texts.mostUsed(sent, limit, page);
  await sendDirectMessage(
    accountId,
    discordUserId,
    { content, allowed_mentions: { parse: [] } },
    key.slice(0, 25),
  ).catch((error) => {
    if (!(error instanceof DiscordError) || error.isTransient) throw error;
    log.info({ code: error.code }, 'usage warning not taken');
  });
}
