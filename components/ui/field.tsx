import type { ReactNode } from 'react';

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
