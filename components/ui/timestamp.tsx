'use client';

import { formatExactTime } from '@/lib/client/format';
import { useNow } from '@/lib/client/use-now';
import { relativeTime } from '@/lib/time';

/** A relative time, with the exact local time on hover. Inside a sentence it begins with a small letter. */
export function Timestamp({ at, inSentence = false }: { at: string; inSentence?: boolean }) {
  const words = relativeTime(new Date(at), useNow());
  return (
    <time dateTime={at} title={formatExactTime(at)} className="whitespace-nowrap">
      {inSentence ? words.toLowerCase() : words}
    </time>
  );
}
