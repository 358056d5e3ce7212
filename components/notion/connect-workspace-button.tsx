'use client';

import { useState } from 'react';
import { goToNotionAuthorize } from '@/components/setup/connect-calls';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { log } from '@/lib/client/log';

export function ConnectWorkspaceButton({ again = false }: { again?: boolean }) {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);

  async function connect() {
    setBusy(true);
    setFailed(false);
    try {
      await goToNotionAuthorize('/notion?setup=completed');
    } catch (error) {
      log.error('Failed to start Notion connection', error);
      setFailed(true);
      setBusy(false);
    }
  }

  return (
    <div className="flex flex-col items-center gap-4">
      <Button busy={busy} busyLabel="Opening Notion..." onClick={connect}>
        {again ? 'Connect again' : 'Connect Notion Workspace'}
      </Button>
      {failed ? (
        <Alert variant="danger" urgent>
          Failed to start Notion connection
        </Alert>
      ) : null}
    </div>
  );
}
