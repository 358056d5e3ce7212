'use client';

import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button';

/** Reads again what could not be read; says that it tries meanwhile. Gives the focus to the page when it goes. */
export function RetryButton({ onRetry }: { onRetry: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      if (element !== document.activeElement) return;
      const dialog = element?.closest('dialog');
      (dialog ? dialog.querySelector('button') : document.getElementById('content'))?.focus();
    };
  }, []);

  async function retry() {
    setBusy(true);
    await onRetry().catch(() => undefined);
    setBusy(false);
  }

  return (
    <Button ref={button} variant="outline" size="sm" busy={busy} busyLabel="Trying..." onClick={retry}>
      Try again
    </Button>
  );
}
