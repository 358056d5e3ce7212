'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { count } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import type { Me } from '@/lib/features/account/schema';
import { trialNotice } from './trial-notice';

function Upgrade({ label }: { label: string }) {
  return (
    <Link href="/settings/billing" className={buttonClass({ size: 'sm' })}>
      {label}
    </Link>
  );
}

/** Announces the trial's last days and its end. A dismissal lasts only for the current view. */
export function TrialBanner({ subscription }: { subscription: Me['subscription'] }) {
  const [dismissed, setDismissed] = useState(false);
  const notice = trialNotice(subscription, useNow());
  if (!notice) return null;
  if (notice.kind === 'ended')
    return (
      <Alert variant="danger" urgent action={<Upgrade label="Upgrade Now" />}>
        Your trial has ended. Upgrade now to continue using the product.
      </Alert>
    );
  if (dismissed) return null;
  if (notice.kind === 'urgent')
    return (
      <Alert variant="warning" action={<Upgrade label="Upgrade" />} onDismiss={() => setDismissed(true)}>
        Trial ends in {count(notice.days, 'day')}. Upgrade now to avoid interruption.
      </Alert>
    );
  return (
    <Alert onDismiss={() => setDismissed(true)}>
      {count(notice.days, 'day')} left in your trial. Upgrade to continue after your trial ends.
    </Alert>
  );
}
