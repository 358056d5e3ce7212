'use client';

import { useEffect } from 'react';
import useSWR from 'swr';
import { DeliveryDetails } from '@/components/rules/log/delivery-details';
import { Link } from '@/components/ui/link';
import { ReadFailed } from '@/components/ui/read-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { formatExactTime } from '@/lib/client/format';
import type { ActivityItem, DeliveryEntry } from '@/lib/features/deliveries/schema';

const REFRESH_MS = 4000;

const LINK = 'text-foreground underline underline-offset-2';

/** The details of an entry, kept up to date while it is open. Changes are passed on to the list. */
export function ActivityDetails({
  item: { id, ruleId, ruleName },
  onChange,
}: {
  item: ActivityItem;
  onChange: (item: Pick<ActivityItem, 'id'> & Partial<ActivityItem>) => void;
}) {
  const { data, error, mutate } = useSWR<DeliveryEntry, Error>(
    `/api/app/rules/${ruleId}/deliveries/${id}`,
    (path: string) => api<DeliveryEntry>(path),
    { refreshInterval: REFRESH_MS },
  );

  useEffect(() => {
    if (data) onChange({ id, outcome: data.state === 'sent' ? 'posted' : data.state, reason: data.reason });
  }, [data, id, onChange]);

  if (!data) {
    const failure = 'The details could not be loaded.';
    return error ? (
      <ReadFailed onRetry={mutate}>{errorText(error, failure, failure)}</ReadFailed>
    ) : (
      <div role="status" aria-label="Loading details" className="space-y-2 py-1">
        <Skeleton className="h-4 w-1/2 rounded-md" />
        <Skeleton className="h-3 w-2/3 rounded-md" />
      </div>
    );
  }
  return (
    <>
      <p className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span className="nums">{formatExactTime(data.at)}</span>
        <span className="wrap-anywhere min-w-0">
          Rule:{' '}
          <Link href={`/rules?open=${ruleId}`} className={LINK}>
            <bdi>{ruleName}</bdi>
          </Link>
        </span>
        {data.url ? (
          <a
            href={data.url}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open in Notion: ${data.title}`}
            className={LINK}
          >
            Open in Notion
          </a>
        ) : null}
      </p>
      <DeliveryDetails entry={data} ruleId={ruleId} onResent={() => mutate()} />
    </>
  );
}
