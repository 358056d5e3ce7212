'use client';

import { goToBotInstall } from '@/components/setup/connect-calls';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { failureText } from '@/lib/client/error-text';
import { gone, useAction } from '@/lib/client/use-action';

export function ConnectServerButton({ again = false }: { again?: boolean }) {
  const { busy, error, run } = useAction('Failed to get Discord installation URL', (reason) =>
    failureText(reason, 'Failed to start Discord connection'),
  );

  const connect = () => run(() => goToBotInstall().then(gone));

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
