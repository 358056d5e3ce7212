import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import { api } from '@/lib/client/api';
import { changeQuery } from '@/lib/client/change-query';
import { log } from '@/lib/client/log';
import type { Billing } from '@/lib/features/billing/schema';

const LOOK_AGAIN_MS = 1000;
const LOOKS = 20;

/** The parameters that Stripe's pages add to the address. */
const ADDED = ['checkout', 'session_id', 'portal'];

/**
 * For a person who returns from Stripe's pages: makes the server read the subscription again, and polls until the
 * change shows. Returns `awaited` until a paid checkout shows, and `arrived` from then on; null without one.
 * Stripe's parameters are removed from the address when they are no longer needed.
 */
export function useBillingReturn(billing: Billing | undefined): 'awaited' | 'arrived' | null {
  const query = useSearchParams();
  const { mutate } = useSWRConfig();
  const [looks, setLooks] = useState(0);
  const [paid] = useState(() => query.get('checkout') === 'success');
  const [returned] = useState(() => paid || query.get('portal') === 'returned');
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
    if (!returned || looking) return;
    void mutate('/api/app/me');
  }, [returned, looking, mutate]);

  // The parameters stay while the payment is awaited, so that a reload continues to wait.
  useEffect(() => {
    if (!paid || !looking) removeAdded();
  }, [paid, looking]);

  if (arrived) return 'arrived';
  return paid && looking ? 'awaited' : null;
}

function removeAdded(): void {
  changeQuery((query) => {
    for (const name of ADDED) query.delete(name);
    return query;
  });
}
