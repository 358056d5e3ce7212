import type { ReactNode } from 'react';

/** Says quietly that what is shown could not be read anew. */
export function StaleNote({ children }: { children: ReactNode }) {
  return (
    <p className="mb-2 text-warning text-xs" role="status">
      {children}
    </p>
  );
}
