'use client';

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { cn } from '@/lib/client/class-names';

/** A section of a form that is usually closed at first; a sentence sums up its content. */
export function ClosedSection({
  id,
  title,
  summary,
  startsOpen = false,
  staysOpen = false,
  children,
}: {
  id: string;
  title: string;
  summary: string;
  startsOpen?: boolean;
  /** Whether it cannot be closed now, because something in it is missing. */
  staysOpen?: boolean;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(startsOpen);
  if (staysOpen && !open) setOpen(true);
  return (
    <div className="border-t pt-4 first:border-t-0 first:pt-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? `${id}-part` : undefined}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-summary`}
        onClick={() => setOpen(!open)}
        className="-mx-2 flex w-[calc(100%+1rem)] items-start gap-2 rounded-lg px-2 py-1 text-left transition-colors duration-150 hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cn(
            'mt-0.5 size-4 shrink-0 text-muted transition-transform duration-150',
            open && 'rotate-90',
          )}
        />
        <span className="min-w-0">
          <span id={`${id}-title`} className="block font-medium">
            {title}
          </span>
          <span id={`${id}-summary`} className="mt-0.5 block break-words text-pretty text-muted text-xs">
            {summary}
          </span>
        </span>
      </button>
      {open ? (
        <div id={`${id}-part`} className="mt-4 space-y-5 pl-6 max-sm:pl-0">
          {children}
        </div>
      ) : null}
    </div>
  );
}
