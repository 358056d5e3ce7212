import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { api } from '@/lib/client/api';
import { log } from '@/lib/client/log';
import type { Billing } from '@/lib/features/billing/schema';

const LOOK_AGAIN_MS = 1000;
const LOOKS = 20;

/**
 * For a person who returns from Stripe's pages: makes the server read the subscription again and polls until it shows.
 * `awaitingPayment` is true while a paid checkout does not show yet.
 */
export function useBillingReturn(billing: Billing | undefined): { awaitingPayment: boolean } {
  const query = useSearchParams();
  const { mutate } = useSWRConfig();
  const [looks, setLooks] = useState(0);
  const paid = query.get('checkout') === 'success';
  const returned = paid || query.get('portal') === 'returned';
  const arrived = paid && billing?.subscription.status === 'active';
  const looking = returned && !arrived && looks < LOOKS;

  useEffect(() => {
    if (!returned) return;
    api('/api/app/billing/refresh', 'POST').catch((error) => log.error('Failed to refresh billing', error));
  }, [returned]);

  useEffect(() => {
    if (!looking) return;
    const timer = setTimeout(() => {
      setLooks(looks + 1);
      void mutate('/api/app/billing');
    }, LOOK_AGAIN_MS);
    return () => clearTimeout(timer);
  }, [looking, looks, mutate]);

  useEffect(() => {
    if (returned && !looking) void mutate('/api/app/me');
  }, [returned, looking, mutate]);

  return { awaitingPayment: paid && looking };
}
