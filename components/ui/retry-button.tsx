'use client';

import { useState } from 'react';
import { Button } from './button';

/** Reads again what could not be read; says that it tries meanwhile. */
export function RetryButton({ onRetry }: { onRetry: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);

  async function retry() {
    setBusy(true);
    await onRetry().catch(() => undefined);
    setBusy(false);
  }

  return (
    <Button variant="outline" size="sm" busy={busy} busyLabel="Trying..." onClick={retry}>
      Try again
    </Button>
  );
}
