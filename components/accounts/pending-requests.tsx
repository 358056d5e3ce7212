'use client';

import { useState } from 'react';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Table } from '@/components/ui/table';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { unlessDone } from '@/lib/client/unless-done';
import type { AccountLinks, LinkRequest } from '@/lib/features/links/schema';
import type { Workspace } from '@/lib/features/workspaces/schema';
import { isDecided } from './is-decided';
import { PendingRow } from './pending-row';

type Busy = Record<string, 'approve' | 'reject' | undefined>;

export function PendingRequests({
  requests,
  users,
  onError,
  onChanged,
}: {
  requests: LinkRequest[];
  users: Workspace['users'];
  onError: (message: string | null) => void;
  onChanged: () => Promise<AccountLinks | undefined>;
}) {
  const [choices, setChosen] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState<Busy>({});
  const [failures, setFailures] = useState<Record<string, string | undefined>>({});

  // Somebody chosen may have left the workspace since.
  const chosenFor = (id: string) => users.find((user) => user.id === choices[id])?.id ?? '';

  async function run(
    id: string,
    kind: 'approve' | 'reject',
    work: () => Promise<unknown>,
    texts: [string, string],
  ) {
    const tell = (failure: string | null) => {
      onError(failure);
      setFailures((all) => ({ ...all, [id]: failure ?? undefined }));
    };
    tell(null);
    setBusy((all) => ({ ...all, [id]: kind }));
    try {
      await work().catch(unlessDone(async () => isDecided(await onChanged(), id)));
      await onChanged();
    } catch (error) {
      tell(errorText(error, ...texts));
    } finally {
      setBusy((all) => ({ ...all, [id]: undefined }));
    }
  }

  function approve(id: string) {
    const notionUserId = chosenFor(id);
    if (!notionUserId) return onError('Please select a Notion user');
    void run(
      id,
      'approve',
      async () => {
        await api(`/api/app/account-links/approve/${id}`, 'POST', { notionUserId });
        setChosen(({ [id]: _approved, ...others }) => others);
      },
      ['Failed to approve link request', 'Failed to approve request'],
    );
  }

  const reject = (id: string) =>
    void run(id, 'reject', () => api(`/api/app/account-links/request/${id}`, 'DELETE'), [
      'Failed to reject request',
      'Failed to reject request',
    ]);

  return (
    <Card aria-labelledby="pending-title">
      <CardHeader id="pending-title" title="Pending Link Requests" />
      {requests.length === 0 ? (
        <div className="border-t">
          <EmptyState title="No pending link requests">
            Users can request linking by running /notion link-account in Discord
          </EmptyState>
        </div>
      ) : (
        <Table
          label="Pending Link Requests"
          columns={['Discord User', 'Requested', 'Notion User', 'Actions']}
        >
          {requests.map((request) => (
            <PendingRow
              key={request.id}
              request={request}
              users={users}
              chosen={chosenFor(request.id)}
              busy={busy[request.id]}
              failure={failures[request.id]}
              onChoose={(user) => setChosen((all) => ({ ...all, [request.id]: user }))}
              onApprove={() => approve(request.id)}
              onReject={() => reject(request.id)}
            />
          ))}
        </Table>
      )}
    </Card>
  );
}
