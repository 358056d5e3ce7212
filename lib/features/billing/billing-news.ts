import { z } from 'zod';
import { db, Prisma, type Transaction } from '@/lib/db/database';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueue, enqueueRowsSql, isoSql } from '@/lib/queue/enqueue';
import { IN_TRIAL } from './posting-permission';

/** Tells an account holder what became of their trial or subscription. */
export const tellBillingJob = defineJob({
  name: 'tell-billing',
  payload: z.object({
    accountId: z.uuid(),
    news: z.enum(['trial_ended', 'payment_failed', 'subscription_paused', 'subscription_ended']),
    /** When it happened. Two jobs with the same time have the same news. */
    at: z.iso.datetime(),
  }),
  key: ['accountId', 'news', 'at'],
});

export type BillingNews = z.infer<typeof tellBillingJob.payload>['news'];

/** Enqueues the job that tells an account holder some news. */
export async function enqueueBillingNews(
  tx: Transaction,
  accountId: string,
  news: BillingNews,
  at: Date,
): Promise<void> {
  await enqueue(tx, tellBillingJob, { accountId, news, at: at.toISOString() });
}

export const tellEndedTrialsJob = defineJob({ name: 'tell-ended-trials', payload: noPayload, key: [] });

/**
 * Enqueues the news for every holder whose trial has ended, once each. Holders who had no trial left when they signed
 * up saw that then, and are not told.
 */
export async function tellEndedTrials(): Promise<void> {
  const ended = Prisma.sql`
    update account set trial_end_told_at = now()
    where trial_end_told_at is null and trial_ends_at <= now()
    returning id, trial_ends_at, paid_period_start is null and status = any(${IN_TRIAL}::text[])
      and trial_ends_at > created_at as is_news`;
  const payload = {
    accountId: Prisma.sql`id`,
    news: Prisma.sql`'trial_ended'`,
    at: isoSql('trial_ends_at'),
  };
  await db().$executeRaw`
    with ended as (${ended}) ${enqueueRowsSql(tellBillingJob, { payload, from: Prisma.sql`ended where is_news` })}`;
}
