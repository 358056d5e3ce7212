'use client';

import { useEffect } from 'react';
import { BillingShape } from '@/components/shell/page-shape';
import { Alert } from '@/components/ui/alert';
import { PageHeader } from '@/components/ui/page-header';
import { ReadFailed } from '@/components/ui/read-failed';
import { StaleNote } from '@/components/ui/stale-note';
import { failureText } from '@/lib/client/error-text';
import { log } from '@/lib/client/log';
import { useBilling } from '@/lib/client/resources';
import { BillingUsage } from './billing-usage';
import { FirstPaymentNotice } from './first-payment-notice';
import { PaymentNotice } from './payment-notice';
import { PlanCard } from './plan-card';
import { PostingStoppedNotice } from './posting-stopped-notice';
import { SubscriptionCard } from './subscription-card';
import { TrialNotice } from './trial-notice';
import { UsageNotice } from './usage-notice';
import { useBillingReturn } from './use-billing-return';

function BillingSkeleton() {
  return (
    <div role="status">
      <p className="mb-4 text-muted">Loading billing information...</p>
      <BillingShape />
    </div>
  );
}

export function BillingScreen() {
  const { data: billing, error, mutate } = useBilling();
  const payment = useBillingReturn(billing);

  useEffect(() => {
    if (error) log.error('Failed to load billing data', error);
  }, [error]);

  if (error && !billing)
    return (
      <ReadFailed onRetry={mutate}>
        {failureText(error, 'Failed to fetch billing data', 'Failed to load billing data')}
      </ReadFailed>
    );

  return (
    <>
      <PageHeader title="Billing" description="What the plan buys, what is used, and what comes next." />
      <StaleNote when={error !== undefined} />
      {billing ? (
        <div className="space-y-4">
          <div role="status" className="empty:sr-only">
            {payment === 'awaited' ? (
              <Alert>
                Your payment is being confirmed. The plan shows here as soon as Stripe has told us.
              </Alert>
            ) : null}
            {payment === 'arrived' ? <PaymentNotice billing={billing} /> : null}
          </div>
          {payment === 'awaited' ? null : <TrialNotice subscription={billing.subscription} />}
          {payment === 'awaited' ? null : <FirstPaymentNotice subscription={billing.subscription} />}
          <PostingStoppedNotice status={billing.subscription.status} />
          <UsageNotice
            used={billing.usage.notificationsUsed}
            limit={billing.usage.notificationsLimit}
            status={billing.subscription.status}
            trialEndsAt={billing.subscription.trialEndsAt}
            periodEnd={billing.usage.periodEnd}
          />
          <div className="grid grid-cols-1 items-start gap-4 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
            <div className="space-y-4">
              <SubscriptionCard subscription={billing.subscription} />
              <BillingUsage usage={billing.usage} />
            </div>
            <PlanCard />
          </div>
        </div>
      ) : (
        <BillingSkeleton />
      )}
    </>
  );
}
