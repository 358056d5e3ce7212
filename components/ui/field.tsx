import type { ReactNode } from 'react';

/** The box of everything that is chosen or typed. */
export const controlClass =
  'flex min-h-9 w-full min-w-0 items-center justify-between gap-2 truncate rounded-lg border border-border-strong bg-surface px-3 text-left text-sm transition-colors duration-150 hover:bg-hover disabled:pointer-events-none disabled:opacity-50';

/** A labelled form control; the hint's id is `{id}-hint`, the label's `{id}-label`. */
export function Field({
  id,
  label,
  hint,
  children,
}: {
  id: string;
  label: string;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <div>
      <label id={`${id}-label`} htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-xs">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
