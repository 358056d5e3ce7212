'use client';

import { useConnectDiscord } from '@/components/setup/use-connect';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';

export function ConnectServerButton({ again = false }: { again?: boolean }) {
  const { busy, error, connect } = useConnectDiscord();
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
