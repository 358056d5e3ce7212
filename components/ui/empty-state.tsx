import type { ReactNode } from 'react';

/** What an empty list shows: a drawing, what is missing, and the next step. */
export function EmptyState({
  drawing,
  title,
  children,
  action,
}: {
  drawing?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      {drawing ? <div className="mb-5">{drawing}</div> : null}
      <h2 className="font-semibold text-base">{title}</h2>
      {children ? <div className="mt-1 max-w-md text-balance text-muted">{children}</div> : null}
      {action ? <div className="mt-5">{action}</div> : null}
    </div>
  );
}
