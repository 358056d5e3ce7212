import type { ReactNode } from 'react';

/** Says quietly that the shown data could not be refreshed. */
export function StaleNote({
  children = 'The newest state could not be read. It is looked for again.',
}: {
  children?: ReactNode;
}) {
  return (
    <p className="mb-2 text-warning text-xs" role="status">
      {children}
    </p>
  );
}
