import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/**
 * The frame of every control to choose from or type into. When it is scrolled to, its margin leaves room for the hint and
 * the warning below.
 */
export const controlClass =
  'flex scroll-mb-24 min-h-9 w-full min-w-0 items-center justify-between gap-2 truncate rounded-lg border border-border-strong bg-surface px-3 text-left text-sm transition-colors duration-150 hover:bg-hover disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50 aria-invalid:border-warning';

/** What tells screen readers about a control's hint and warning. */
export interface FieldAria {
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}

/** The attributes of a control with a hint, or with a warning. */
export function fieldAria(
  id: string,
  { hint, warning }: { hint?: boolean; warning?: string | null },
): FieldAria {
  const ids = [warning ? `${id}-warning` : null, hint ? `${id}-hint` : null].filter(Boolean);
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': warning ? true : undefined };
}

/**
 * A labelled form control. Its label has the id `{id}-label`, its hint `{id}-hint`, and `warning`, which says what is
 * wrong, `{id}-warning`.
 */
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
      <FieldWarning id={id} warning={warning ?? null} />
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-muted text-xs">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** What is wrong with a control, below it; nothing when nothing is. Screen readers say it when it appears. */
export function FieldWarning({ id, warning }: { id: string; warning: string | null }) {
  if (!warning) return null;
  return (
    <p
      id={`${id}-warning`}
      role="alert"
      className="wrap-anywhere col-span-full mt-1.5 flex items-start gap-1.5 font-medium text-warning text-xs"
    >
      <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
      {warning}
    </p>
  );
}
