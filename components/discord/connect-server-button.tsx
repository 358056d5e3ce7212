'use client';

import { useState } from 'react';
import { goToBotInstall } from '@/components/setup/connect-calls';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { failureText } from '@/lib/client/error-text';
import { log } from '@/lib/client/log';

export function ConnectServerButton({ again = false }: { again?: boolean }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function connect() {
    setBusy(true);
    setError(null);
    try {
      await goToBotInstall();
    } catch (reason) {
      log.error('Failed to get Discord installation URL', reason);
      setError(failureText(reason, 'Failed to start Discord connection'));
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col items-center gap-4">
      <Button variant="discord" busy={busy} busyLabel="Opening Discord..." onClick={connect}>
        {again ? 'Connect again' : 'Connect Discord Server'}
      </Button>
      {error ? (
        <Alert variant="danger" urgent>
          {error}
        </Alert>
      ) : null}
    </div>
  );
}
