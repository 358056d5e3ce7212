'use client';

import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { count } from '@/lib/client/format';
import { Button } from './button';

/** How many entries are listed, to be read out. */
export const loadedText = (loaded: number, hasMore: boolean) =>
  `${count(loaded, 'entry', 'entries')}${hasMore ? ' so far' : ''}`;

/**
 * The end of a list of entries that is loaded part by part: the button that loads the next one. When there is none left,
 * `end` takes its place, and its focus.
 */
export function LoadMore({
  label = 'Load more',
  busyLabel,
  hasMore,
  busy,
  failed,
  onLoad,
  end,
  children,
}: {
  label?: string;
  busyLabel: string;
  hasMore: boolean;
  busy: boolean;
  failed: boolean;
  onLoad: () => void;
  end: ReactNode;
  /** Shown above the button. */
  children?: ReactNode;
}) {
  const last = useRef<HTMLParagraphElement>(null);
  const [isAsked, setAsked] = useState(false);

  useLayoutEffect(() => {
    if (isAsked && !hasMore && document.activeElement === document.body)
      last.current?.focus({ preventScroll: true });
  }, [isAsked, hasMore]);

  if (!hasMore) {
    return (
      <p ref={last} tabIndex={-1} className="py-5 text-center text-muted text-xs">
        {end}
      </p>
    );
  }
  return (
    <div className="flex flex-col items-center gap-2 py-5">
      {children}
      <Button
        variant="outline"
        size="sm"
        busy={busy}
        busyLabel={busyLabel}
        onClick={() => {
          setAsked(true);
          onLoad();
        }}
      >
        {label}
      </Button>
      {failed ? (
        <p role="alert" className="text-danger text-xs">
          Older entries could not be loaded. Try again.
        </p>
      ) : null}
    </div>
  );
}
