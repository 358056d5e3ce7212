'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { PageHeader } from '@/components/ui/page-header';
import { useAccountLinks, useWorkspace } from '@/lib/client/resources';
import { LinkedAccounts } from './linked-accounts';
import { PendingRequests } from './pending-requests';

export function AccountsScreen() {
  const { data: links, mutate } = useAccountLinks();
  const { data: workspace } = useWorkspace();
  const [error, setError] = useState<string | null>(null);
  const reload = () => mutate();

  return (
    <>
      <PageHeader
        title="Accounts"
        description="Manage the Discord to Notion account connections for @mentions and task assignments."
      />
      <div className="space-y-4">
        {error ? (
          <Alert variant="danger" urgent onDismiss={() => setError(null)}>
            {error}
          </Alert>
        ) : null}
        <PendingRequests
          requests={links?.pendingRequests ?? []}
          users={workspace?.users ?? []}
          onError={setError}
          onChanged={reload}
        />
        <LinkedAccounts
          accounts={links?.linkedAccounts ?? []}
          installerId={workspace?.installer_discord_user_id ?? null}
          onError={setError}
          onChanged={reload}
        />
      </div>
    </>
  );
}
