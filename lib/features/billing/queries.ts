import type { Account } from '@/lib/db/generated/client';
import { STARTER } from './plan';
import { isTrialRunning, trialEndOf } from './posting-permission';
import type { Billing } from './schema';
import { getUsage } from './usage';

/** The account's subscription and its usage in the current period. */
export async function getBilling(account: Account): Promise<Billing> {
  const usage = await getUsage(account);
  const { paidPeriodEnd, cancelsAt } = account;
  const now = new Date();
  const endsFirst = cancelsAt !== null && paidPeriodEnd !== null && cancelsAt <= paidPeriodEnd;
  return {
    subscription: {
      plan: account.plan,
      status: account.status,
      isTrialActive: account.status === 'trial' && isTrialRunning(account, now),
      trialEndsAt: trialEndOf(account, now)?.toISOString() ?? null,
      trialSharedWith: account.trialSharedWith,
      isTrialShared: usage.isTrialShared,
      // While it is paused, nothing is charged: https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
      renewsAt: endsFirst || account.status === 'paused' ? null : (paidPeriodEnd?.toISOString() ?? null),
      cancelsAt: cancelsAt?.toISOString() ?? null,
      stripeSubscriptionId: account.stripeSubscriptionId,
      // Before the column, only the status said so.
      isFirstPaymentOpen: account.isFirstPaymentOpen || account.status === 'incomplete',
    },
    usage: {
      notificationsUsed: usage.used,
      notificationsLimit: STARTER.notifications,
      periodStart: usage.periodStart.toISOString(),
      periodEnd: usage.periodEnd.toISOString(),
    },
  };
}
