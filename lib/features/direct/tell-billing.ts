import type { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { db, transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { env } from '@/lib/env';
import { keyOf } from '@/lib/queue/define-job';
import { type BillingNews, tellBillingJob } from '../billing/billing-news';
import { hasOwnTrial } from '../billing/posting-permission';
import { queueDirect } from './queue-direct';

const NEWS: Record<
  BillingNews,
  { text: (billingUrl: string) => string; isSo: (account: Account) => boolean }
> = {
  trial_ended: { text: texts.trialEnded, isSo: hasOwnTrial },
  payment_failed: { text: texts.paymentFailed, isSo: ({ status }) => status === 'past_due' },
  subscription_paused: { text: texts.subscriptionPaused, isSo: ({ status }) => status === 'paused' },
  subscription_ended: { text: texts.subscriptionEnded, isSo: ({ status }) => status === 'canceled' },
};

/** Tells the account holder what became of their trial or subscription, unless that has changed again. */
export async function tellBilling(told: z.infer<typeof tellBillingJob.payload>): Promise<void> {
  const { accountId, news, at } = told;
  const account = await db().account.findUnique({ where: { id: accountId } });
  const { text, isSo } = NEWS[news];
  if (!account?.discordUserId || !isSo(account)) return;
  const message = {
    accountId,
    discordUserId: account.discordUserId,
    key: keyOf(tellBillingJob, told),
    at: new Date(at),
    sourceId: accountId,
    body: { content: text(`${env().APP_URL}/settings/billing`) },
  };
  await transaction((tx) => queueDirect(tx, message));
}
