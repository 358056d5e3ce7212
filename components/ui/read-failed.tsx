'use client';

import { useState } from 'react';
import { Alert } from './alert';
import { Button } from './button';

/** Replaces something that could not be read, with a button to try again. */
export function ReadFailed({
  onRetry,
  variant = 'danger',
  className,
  children,
}: {
  onRetry: () => Promise<unknown>;
  variant?: 'danger' | 'warning';
  className?: string;
  children: string;
}) {
  const [busy, setBusy] = useState(false);

  async function retry() {
    setBusy(true);
    await onRetry().catch(() => undefined);
    setBusy(false);
  }

  return (
    <Alert
      variant={variant}
      urgent
      className={className}
      action={
        <Button variant="outline" size="sm" busy={busy} busyLabel="Trying..." onClick={retry}>
          Try again
        </Button>
      }
    >
      {children}
    </Alert>
  );
}
