'use client';

import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { download } from '@/lib/client/api';
import { failureText } from '@/lib/client/error-text';
import { useAction } from '@/lib/client/use-action';

/** Downloads everything that is stored about the account, as one file. */
export function AccountFile() {
  const { busy, error, run } = useAction('Failed to download account', (reason) =>
    failureText(reason, 'Failed to download your data'),
  );

  const fetchFile = () => run(() => download('/api/app/account/export', 'pagewire-account.json'));

  return (
    <Card aria-labelledby="file-title">
      <CardHeader
        id="file-title"
        title="Your Data"
        description="Everything that is stored about this account as one JSON file, without tokens."
      />
      <div className="space-y-3 border-t px-5 py-4">
        <Button variant="outline" busy={busy} busyLabel="Preparing..." onClick={fetchFile}>
          Download
        </Button>
        {error ? (
          <Alert variant="danger" urgent>
            {error}
          </Alert>
        ) : null}
      </div>
    </Card>
  );
}
