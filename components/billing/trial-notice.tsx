'use client';

import { PRODUCT } from '@/components/brand/product';
import { Alert } from '@/components/ui/alert';
import { count } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Billing } from '@/lib/features/billing/schema';
import { daysLeft } from '@/lib/time';

export function TrialNotice({ subscription }: { subscription: Billing['subscription'] }) {
  const now = useNow();
  if (subscription.isTrialActive && subscription.trialEndsAt)
    return (
      <Alert>
        {count(Math.max(0, daysLeft(new Date(subscription.trialEndsAt), now)), 'day')} left in your trial
      </Alert>
    );
  if (subscription.status === 'trial' && !subscription.isTrialActive)
    return (
      <Alert variant="danger" urgent>
        Your trial has ended. Please upgrade to continue using {PRODUCT}.
      </Alert>
    );
  return null;
}
