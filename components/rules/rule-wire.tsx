'use client';

import { FileText, Hash } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/lib/client/class-names';

/** A rule drawn as a wire. A signal runs along it for each delivery that arrives while it is on screen. */
export function RuleWire({
  database,
  channel,
  enabled,
  deliveredAt,
}: {
  database: string;
  channel: string;
  enabled: boolean;
  deliveredAt: string | null;
}) {
  const [firstSeen] = useState(deliveredAt);
  const line = enabled ? 'bg-wire' : 'bg-border-strong';
  const end = enabled ? 'border-wire' : 'border-border-strong';
  return (
    <div className="flex min-w-0 items-center gap-2 font-medium">
      <span className="flex min-w-0 max-w-[48%] items-center gap-2">
        <FileText className="size-4 shrink-0 text-muted" aria-hidden />
        <span className="truncate" title={database}>
          {database}
        </span>
      </span>
      <span className="relative flex h-4 min-w-10 max-w-40 flex-1 items-center">
        <span className="sr-only">→</span>
        <span aria-hidden className={cn('size-2 shrink-0 rounded-full border-2', end)} />
        <span aria-hidden className={cn('h-0.5 flex-1', line)} />
        <span aria-hidden className={cn('-ml-1.5 size-2 shrink-0 rotate-45 border-t-2 border-r-2', end)} />
        {deliveredAt && deliveredAt !== firstSeen ? (
          <span
            key={deliveredAt}
            aria-hidden
            className="absolute left-0 size-2.5 animate-run rounded-full bg-wire"
          />
        ) : null}
      </span>
      <span className="flex min-w-0 max-w-[48%] items-center">
        <Hash className={cn('size-4 shrink-0', enabled && 'text-blurple-text')} aria-hidden />
        <span className="truncate" title={`#${channel}`}>
          <span className="sr-only">#</span>
          {channel}
        </span>
      </span>
    </div>
  );
}
