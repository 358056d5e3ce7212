import { z } from 'zod';
import { db, type Prisma, type Transaction, transaction } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import {
  cancelSubscription,
  listSubscriptions,
  type StripeSubscription,
} from '@/lib/integrations/stripe/stripe-subscriptions';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueue, enqueueSql } from '@/lib/queue/enqueue';
import { DAY_MS } from '@/lib/time';
import { lockAccount } from '../tenancy/lock-account';
import { type BillingNews, enqueueBillingNews } from './billing-news';
import { chooseSubscription, hasBegun, isCurrent } from './choose-subscription';
import { hasOwnTrial, toStatus } from './posting-permission';

const KEEP_EVENTS_MS = 30 * DAY_MS;

/** At most one job at a time for each account, so that the last one to run has the newest reading. */
export const syncSubscriptionJob = defineJob({
  name: 'sync-subscription',
  payload: z.object({ accountId: z.uuid() }),
  key: ['accountId'],
});

export const rereadSubscriptionsJob = defineJob({
  name: 'reread-subscriptions',
  payload: noPayload,
  key: [],
});

/** Enqueues a read of an account's subscription from Stripe. */
export async function enqueueSync(tx: Transaction, accountId: string): Promise<void> {
  await enqueue(tx, syncSubscriptionJob, { accountId });
}

/**
 * Enqueues a read for every account that ever opened a checkout, to make up for lost events. Deletes events that Stripe
 * no longer repeats: it gives up after three days.
 */
export async function rereadSubscriptions(): Promise<void> {
  const accounts = await db().account.findMany({
    where: { stripeCustomerId: { not: null } },
    select: { id: true },
  });
  const items = accounts.map(({ id }) => ({ payload: { accountId: id } }));
  await db().$executeRaw(enqueueSql(syncSubscriptionJob, items));
  const receivedAt = { lt: new Date(Date.now() - KEEP_EVENTS_MS) };
  await db().stripeEvent.deleteMany({ where: { receivedAt } });
}

/**
 * Brings an account's row in line with Stripe, whatever happened before, and cancels duplicate subscriptions. Throws
 * Stripe's errors, to be retried.
 */
export async function syncSubscription({ accountId }: { accountId: string }): Promise<void> {
  const account = await db().account.findUnique({ where: { id: accountId } });
  const customerId = account?.stripeCustomerId;
  if (!customerId) return;
  const { chosen, duplicates, isFirstPaymentOpen } = chooseSubscription(
    await listSubscriptions(customerId),
    account,
  );
  for (const { id } of duplicates) await cancelSubscription(id);
  const hadOne = account.stripeSubscriptionId !== null || account.isFirstPaymentOpen;
  if (!chosen && !hadOne) return;
  await transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const before = await tx.account.findFirst({ where: { id: accountId, stripeCustomerId: customerId } });
    if (!before) return;
    // An earlier subscription, perhaps of a customer deleted at Stripe, leaves no trial for the time until a first payment.
    const counts = chosen && (hasBegun(chosen) || hasOwnTrial(before));
    const data = { ...(counts ? rowOf(chosen) : rowWithout(before)), isFirstPaymentOpen };
    const after = await tx.account.update({ where: { id: accountId }, data });
    const news = newsOf(before, after);
    if (news) await enqueueBillingNews(tx, accountId, news, dateOf(news, chosen));
  });
}

/** The news in a change for the account holder; null for none. */
function newsOf(before: Account, after: Account): BillingNews | null {
  if (after.status === before.status) return null;
  if (after.status === 'past_due') return 'payment_failed';
  // Stripe can be set to pause a subscription whose payment fails: https://docs.stripe.com/billing/subscriptions/pause
  if (after.status === 'paused') return 'subscription_paused';
  // A subscription whose first payment never went through has not begun.
  return after.status === 'canceled' && before.paidPeriodStart ? 'subscription_ended' : null;
}

// Stripe's own time, so that another reading finds the same news.
function dateOf(news: BillingNews, subscription: StripeSubscription | null): Date {
  const date = news === 'subscription_ended' ? subscription?.endedAt : subscription?.periodStart;
  return date ?? new Date();
}

const NO_PERIOD = { paidPeriodStart: null, paidPeriodEnd: null, cancelsAt: null };

// Whoever has never paid is where they were before they opened the checkout; whoever has is without a subscription.
const rowWithout = (account: Account): Prisma.AccountUpdateManyMutationInput =>
  hasOwnTrial(account)
    ? { status: 'trial', stripeSubscriptionId: null }
    : { ...NO_PERIOD, status: 'canceled' };

function rowOf(subscription: StripeSubscription): Prisma.AccountUpdateManyMutationInput {
  const { id, periodStart, periodEnd, cancelsAt, trialEndsAt } = subscription;
  const status = toStatus(subscription.status);
  return {
    stripeSubscriptionId: id,
    status,
    ...(isCurrent(subscription)
      ? { paidPeriodStart: periodStart, paidPeriodEnd: periodEnd, cancelsAt }
      : NO_PERIOD),
    ...(status === 'trial' && trialEndsAt && { trialEndsAt }),
  };
}
