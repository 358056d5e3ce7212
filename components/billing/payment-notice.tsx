'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { formatDate, formatNumber, planName } from '@/lib/client/format';
import type { Billing } from '@/lib/features/billing/schema';

/** What a payment has activated and until when, and why notifications are counted from zero again. */
export function PaymentNotice({ billing }: { billing: Billing }) {
  const [dismissed, setDismissed] = useState(false);
  const { plan, renewsAt, cancelsAt } = billing.subscription;
  const { notificationsLimit, periodStart, periodEnd } = billing.usage;
  if (dismissed) return null;
  const paidUntil = formatDate(renewsAt ?? cancelsAt ?? periodEnd);
  return (
    <Alert variant="success" title={`${planName(plan)} is now active`} onDismiss={() => setDismissed(true)}>
      <p>
        It is paid until {paidUntil}
        {renewsAt ? ', and renews then' : ''}.
      </p>
      <p>
        The count began anew on {formatDate(periodStart)}, because a paid month has{' '}
        {formatNumber(notificationsLimit)} notifications of its own. What was used before no longer counts.
      </p>
    </Alert>
  );
}
