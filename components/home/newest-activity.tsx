'use client';

import useSWR from 'swr';
import { EntryDetail, stateOf } from '@/components/activity/activity-row';
import { ActivitySkeleton } from '@/components/activity/activity-skeleton';
import { DeliveryState } from '@/components/rules/log/delivery-state';
import { Alert } from '@/components/ui/alert';
import { Card, CardTitle } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { RetryButton } from '@/components/ui/retry-button';
import { Timestamp } from '@/components/ui/timestamp';
import { api } from '@/lib/client/api';
import { cn } from '@/lib/client/class-names';
import { RETRIES } from '@/lib/client/resources';
import type { ActivityItem, ActivityPage } from '@/lib/features/deliveries/schema';

const SHOWN = 5;
const REFRESH_MS = 5000;

/** The newest entries of the activity, each with a link to its details. */
export function NewestActivity() {
  const { data, error, mutate } = useSWR<ActivityPage, Error>(
    `/api/app/activity?limit=${SHOWN}`,
    (path: string) => api<ActivityPage>(path),
    { ...RETRIES, refreshInterval: REFRESH_MS },
  );
  return (
    <section aria-labelledby="activity-title">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <CardTitle id="activity-title">Latest activity</CardTitle>
        <Link href="/activity" className="font-medium text-signal underline-offset-4 hover:underline">
          See all
        </Link>
      </div>
      {data ? (
        <Card>
          {data.items.length === 0 ? (
            <p className="px-5 py-6 text-center text-muted">
              Nothing has happened yet. Change a page in a database that a rule watches.
            </p>
          ) : (
            <ul className="divide-y">
              {data.items.map((item) => (
                <Entry key={item.id} item={item} />
              ))}
            </ul>
          )}
        </Card>
      ) : error ? (
        <Alert
          variant="danger"
          title="The latest activity could not be loaded"
          action={<RetryButton onRetry={mutate} />}
        />
      ) : (
        <ActivitySkeleton rows={SHOWN} />
      )}
    </section>
  );
}

function Entry({ item }: { item: ActivityItem }) {
  return (
    <li>
      <Link
        href={`/activity#${item.id}`}
        className="-outline-offset-2 grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 px-4 py-2.5 transition-colors duration-150 hover:bg-hover sm:grid-cols-[minmax(0,1fr)_8rem_6rem_6.5rem] sm:px-5 xl:grid-cols-[minmax(0,1fr)_10.5rem_6rem_6.5rem]"
      >
        <span className="min-w-0 max-sm:col-span-full xl:grid xl:grid-cols-[minmax(0,max-content)_minmax(0,max-content)] xl:gap-x-2">
          <span
            dir="auto"
            className={cn('block truncate text-left', item.url ? 'font-medium' : 'text-muted')}
          >
            {item.title}
          </span>{' '}
          <EntryDetail item={item} />
        </span>
        <span dir="auto" className="truncate text-left text-muted max-sm:hidden">
          {item.place}
        </span>
        <DeliveryState state={stateOf(item)} className="max-sm:col-start-2 max-sm:row-start-2" />
        <span className="text-muted text-xs leading-5 max-sm:row-start-2 max-sm:flex max-sm:min-w-0 sm:text-right">
          <bdi className="truncate sm:hidden">{item.place}</bdi>
          <span className="whitespace-pre sm:hidden"> · </span>
          <Timestamp at={item.at} />
        </span>
      </Link>
    </li>
  );
}
