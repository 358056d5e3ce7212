'use client';

import { goToNotionAuthorize } from '@/components/setup/connect-calls';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { gone, useAction } from '@/lib/client/use-action';

export function ConnectWorkspaceButton({ again = false }: { again?: boolean }) {
  const { busy, error, run } = useAction('Failed to start Notion connection');

  const connect = () => run(() => goToNotionAuthorize('/notion?setup=completed').then(gone));

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
