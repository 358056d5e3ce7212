import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** The frame of every control to choose from or type into. */
export const controlClass =
  'flex min-h-9 w-full min-w-0 items-center justify-between gap-2 truncate rounded-lg border border-border-strong bg-surface px-3 text-left text-sm transition-colors duration-150 hover:bg-hover disabled:pointer-events-none disabled:opacity-50';

/** A labelled form control; the hint's id is `{id}-hint`, the label's `{id}-label`. `warning` says what is wrong. */
export function Field({
  id,
  label,
  hint,
  warning,
  children,
}: {
  id: string;
  label: string;
  hint?: string;
  warning?: string | null;
  children: ReactNode;
}) {
  return (
    <div>
      <label id={`${id}-label`} htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {children}
      {warning ? (
        <p className="mt-1.5 flex items-start gap-1.5 font-medium text-warning text-xs">
          <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
          {warning}
        </p>
      ) : null}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-xs">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
