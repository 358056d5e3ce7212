import type { ReactNode } from 'react';

/** A title, a sentence, and one primary action at the right. */
export function PageHeader({
  title,
  description,
  aside,
  action,
}: {
  title: ReactNode;
  description?: ReactNode;
  aside?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-80">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="wrap-anywhere min-w-0 text-balance font-semibold text-xl tracking-tight">{title}</h1>
          {aside}
        </div>
        {description ? (
          <p className="mt-1 max-w-prose text-pretty text-muted max-sm:mt-2">{description}</p>
        ) : null}
      </div>
      {action}
    </header>
  );
}
