'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { PageHeader } from '@/components/ui/page-header';
import { ReadFailed } from '@/components/ui/read-failed';
import { failureText } from '@/lib/client/error-text';
import { useAccountLinks, useWorkspace } from '@/lib/client/resources';
import { LinkedAccounts } from './linked-accounts';
import { PendingRequests } from './pending-requests';

export function AccountsScreen() {
  const { data: links, error: readError, mutate } = useAccountLinks();
  const { data: workspace, mutate: readWorkspace } = useWorkspace();
  const [error, setError] = useState<string | null>(null);

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
        {workspace === undefined ? (
          <ReadFailed onRetry={readWorkspace}>Failed to load the people of the Notion workspace</ReadFailed>
        ) : null}
        {links === undefined ? (
          <ReadFailed onRetry={mutate}>
            {failureText(readError, 'Failed to load the account links')}
          </ReadFailed>
        ) : (
          <>
            <PendingRequests
              requests={links.pendingRequests}
              users={workspace?.users ?? []}
              onError={setError}
              onChanged={mutate}
            />
            <LinkedAccounts
              accounts={links.linkedAccounts}
              installerId={workspace?.installer_discord_user_id ?? null}
              onError={setError}
              onChanged={mutate}
            />
          </>
        )}
      </div>
    </>
  );
}
