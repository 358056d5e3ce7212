'use client';

import { useState } from 'react';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { lateDialog } from '@/components/ui/late';
import { Table } from '@/components/ui/table';
import type { AccountLink, AccountLinks } from '@/lib/features/links/schema';
import { LinkedRow } from './linked-row';

const UnlinkDialog = lateDialog(() => import('./unlink-dialog').then((module) => module.UnlinkDialog));

export function LinkedAccounts({
  accounts,
  installerId,
  onError,
  onChanged,
}: {
  accounts: AccountLink[];
  installerId: string | null;
  onError: (message: string | null) => void;
  onChanged: () => Promise<AccountLinks | undefined>;
}) {
  const [unlinking, setUnlinking] = useState<AccountLink | null>(null);
  return (
    <Card aria-labelledby="linked-title">
      <CardHeader id="linked-title" title="Linked Accounts" />
      {accounts.length === 0 ? (
        <div className="border-t">
          <EmptyState title="No linked accounts yet" />
        </div>
      ) : (
        <Table label="Linked Accounts" columns={['Discord User', 'Notion User', 'Linked', 'Actions']}>
          {accounts.map((account) => (
            <LinkedRow
              key={account.id}
              account={account}
              isInstaller={account.discord_user_id === installerId}
              onUnlink={() => setUnlinking(account)}
            />
          ))}
        </Table>
      )}
      {unlinking ? (
        <UnlinkDialog
          account={unlinking}
          onClose={() => setUnlinking(null)}
          onError={onError}
          onChanged={onChanged}
        />
      ) : null}
    </Card>
  );
}
