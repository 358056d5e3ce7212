'use client';

import { PRODUCT } from '@/components/brand/product';
import { Alert } from '@/components/ui/alert';
import { count } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Billing } from '@/lib/features/billing/schema';
import { daysLeft } from '@/lib/time';

type Subscription = Billing['subscription'];

const HOLDERS = { server: 'Discord server', workspace: 'Notion workspace' };

/** The reason why the trial is shorter than fourteen days or partly used; null if it is neither. */
function whyShared({ trialSharedWith: holder, isTrialActive }: Subscription): string | null {
  if (!holder) return null;
  if (holder === 'person')
    return isTrialActive
      ? 'It continues from your earlier account, and what was used there counts here.'
      : 'It was used in your earlier account. Each person has one trial.';
  return isTrialActive
    ? `The trial of your ${HOLDERS[holder]} began in another account. Yours ends with it, and what it has used counts here.`
    : `Your ${HOLDERS[holder]} had its trial in another account. Each ${holder} has one trial.`;
}

const TOGETHER =
  'Another account has the same Notion workspace or Discord user. You have one trial together: what either uses counts for both.';

export function TrialNotice({ subscription }: { subscription: Subscription }) {
  const now = useNow();
  const reason = whyShared(subscription);
  const more = (
    <>
      {reason && <p className="mt-1">{reason}</p>}
      {subscription.isTrialShared && <p className="mt-1">{TOGETHER}</p>}
    </>
  );
  if (subscription.isTrialActive && subscription.trialEndsAt)
    return (
      <Alert>
        <p>
          {count(Math.max(0, daysLeft(new Date(subscription.trialEndsAt), now)), 'day')} left in your trial
        </p>
        {more}
      </Alert>
    );
  if (subscription.status === 'trial' && !subscription.isTrialActive)
    return (
      <Alert variant="danger" urgent>
        <p>Your trial has ended. Please upgrade to continue using {PRODUCT}.</p>
        {more}
      </Alert>
    );
  return null;
}
