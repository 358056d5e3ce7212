import useSWRInfinite from 'swr/infinite';
import { api } from '@/lib/client/api';
import { byDay } from '@/lib/client/by-day';
import { RETRIES } from '@/lib/client/resources';
import type { DeliveryPage, DeliveryView } from '@/lib/features/deliveries/schema';

const REFRESH_MS = 4000;

/**
 * A rule's deliveries by day, newest first, kept up to date. Each page starts where the previous one ends, so none is
 * missing or repeated while newer ones arrive.
 */
export function useDeliveries(ruleId: string, view: DeliveryView) {
  const path = `/api/app/rules/${ruleId}/deliveries?show=${view}`;
  const { data, error, isValidating, size, setSize, mutate } = useSWRInfinite<DeliveryPage, Error>(
    (index, before: DeliveryPage | null) => {
      if (index === 0) return path;
      return before?.nextCursor ? `${path}&before=${before.nextCursor}` : null;
    },
    (key: string) => api<DeliveryPage>(key),
    { ...RETRIES, refreshInterval: REFRESH_MS },
  );
  const pages = data ?? [];
  const entries = pages.flatMap(({ deliveries }) => deliveries);
  const isBehind = size > pages.length;
  return {
    days: byDay(entries),
    /** How many there are, once older ones were asked for. */
    loaded: pages.length > 1 ? entries.length : null,
    error,
    loading: !data && !error,
    hasMore: Boolean(pages.at(-1)?.nextCursor),
    loadingMore: isBehind && (isValidating || !error),
    moreFailed: isBehind && error !== undefined,
    // After a failure, the page that failed is read again.
    more: () => void (isBehind ? mutate() : setSize(size + 1)),
    readAgain: () => mutate(),
  };
}
