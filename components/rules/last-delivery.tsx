'use client';

import { Timestamp } from '@/components/ui/timestamp';
import { cn } from '@/lib/client/class-names';
import type { Rule } from '@/lib/features/rules/schema';

const STATES = {
  sent: { word: 'Delivered', dot: 'bg-wire' },
  waiting: { word: 'Waiting', dot: 'bg-warning' },
  held: { word: 'Held', dot: 'bg-warning' },
  failed: { word: 'Failed', dot: 'bg-danger' },
};

function Dot({ className }: { className: string }) {
  return <span aria-hidden className={cn('size-2 shrink-0 rounded-full', className)} />;
}

/** A rule's health: what became of its newest delivery, and why if it did not arrive. */
export function LastDelivery({ enabled, delivery }: { enabled: boolean; delivery: Rule['lastDelivery'] }) {
  if (!delivery)
    return (
      <span className="inline-flex items-baseline gap-2">
        <Dot className="border border-muted" />
        {enabled ? 'Nothing delivered yet' : 'Off, nothing delivered yet'}
      </span>
    );
  const { word, dot } = STATES[delivery.state];
  return (
    <span className={cn('inline-flex items-baseline gap-2', delivery.state === 'failed' && 'text-danger')}>
      <Dot className={dot} />
      <span>
        {enabled ? null : 'Off. '}
        {word} · <Timestamp at={delivery.at} />
        {delivery.reason && delivery.state !== 'sent' ? `: ${delivery.reason}` : null}
      </span>
    </span>
  );
}
