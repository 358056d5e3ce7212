'use client';

import { formatExactTime } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import { relativeTime } from '@/lib/time';

/** A relative time, with the exact local time on hover. */
export function Timestamp({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatExactTime(at)} className="whitespace-nowrap">
      {relativeTime(new Date(at), now)}
    </time>
  );
}
