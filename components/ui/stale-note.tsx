import type { ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

/**
 * Says quietly that the shown data could not be refreshed, `when` that is so. Rendered all the time, because screen
 * readers read out only what changes in an element that they know.
 */
export function StaleNote({
  when,
  className,
  children = 'The newest state could not be read. It is looked for again.',
}: {
  when: boolean;
  className?: string;
  children?: ReactNode;
}) {
  return (
    <p className={cn('mb-2 text-warning text-xs empty:sr-only', className)} role="status">
      {when ? children : null}
    </p>
  );
}
