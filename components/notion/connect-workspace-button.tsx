'use client';

import { useConnectNotion } from '@/components/setup/use-connect';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

export function ConnectWorkspaceButton({ again = false }: { again?: boolean }) {
  const { busy, error, connect } = useConnectNotion('/notion?setup=completed');
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
