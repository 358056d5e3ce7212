import type { ReactNode } from 'react';
import { CardTitle } from './card';

/** Shown instead of an empty list: a drawing, what is missing, and the next step. */
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
      {drawing ? <div className="mb-5 max-w-full">{drawing}</div> : null}
      <CardTitle>{title}</CardTitle>
      {children ? <div className="mt-1 max-w-md text-balance text-muted">{children}</div> : null}
      {action ? <div className="mt-5">{action}</div> : null}
    </div>
  );
}
