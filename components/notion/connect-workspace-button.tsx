'use client';

import { useState } from 'react';
import { goToNotionAuthorize } from '@/components/setup/connect-calls';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { failureText } from '@/lib/client/error-text';
import { log } from '@/lib/client/log';

export function ConnectWorkspaceButton({ again = false }: { again?: boolean }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function connect() {
    setBusy(true);
    setError(null);
    try {
      await goToNotionAuthorize('/notion?setup=completed');
    } catch (reason) {
      log.error('Failed to start Notion connection', reason);
      setError(failureText(reason, 'Failed to start Notion connection'));
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col items-center gap-4">
      <Button busy={busy} busyLabel="Opening Notion..." onClick={connect}>
        {again ? 'Connect again' : 'Connect Notion Workspace'}
      </Button>
      {error ? (
        <Alert variant="danger" urgent>
          {error}
        </Alert>
      ) : null}
    </div>
  );
}
