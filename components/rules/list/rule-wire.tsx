'use client';

import { useState } from 'react';
import { cn } from '@/lib/client/class-names';

/** A rule's wire. A signal runs along it once for each delivery that arrives while it is shown. */
export function RuleWire({
  isLive,
  deliveredAt,
  className,
}: {
  isLive: boolean;
  deliveredAt: string | null;
  className?: string;
}) {
  const [firstSeen] = useState(deliveredAt);
  const line = isLive ? 'bg-wire' : 'bg-border-strong';
  const end = isLive ? 'border-wire' : 'border-border-strong';
  return (
    <span className={cn('relative flex h-4 w-10 shrink-0 items-center', className)}>
      <span className="sr-only">→</span>
      <span aria-hidden className={cn('size-2 shrink-0 rounded-full border-2', end)} />
      <span aria-hidden className={cn('h-0.5 flex-1 forced-colors:bg-[CanvasText]', line)} />
      <span aria-hidden className={cn('-ml-1.5 size-2 shrink-0 rotate-45 border-t-2 border-r-2', end)} />
      {deliveredAt && deliveredAt !== firstSeen ? (
        <span
          key={deliveredAt}
          aria-hidden
          className="absolute left-0 size-2.5 animate-run rounded-full bg-wire"
        />
      ) : null}
    </span>
  );
}
