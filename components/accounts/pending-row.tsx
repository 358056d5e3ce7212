'use client';

import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { NativeSelect } from '@/components/ui/native-select';
import { Cell, Row } from '@/components/ui/table';
import { Timestamp } from '@/components/ui/timestamp';
import { isolate } from '@/lib/bidi';
import type { LinkRequest } from '@/lib/features/links/schema';
import type { Workspace } from '@/lib/features/workspaces/schema';

export function PendingRow({
  request,
  users,
  chosen,
  busy,
  failure,
  onChoose,
  onApprove,
  onReject,
}: {
  request: LinkRequest;
  users: Workspace['users'];
  chosen: string;
  busy: 'approve' | 'reject' | undefined;
  /** Why the last decision failed. */
  failure: string | undefined;
  onChoose: (userId: string) => void;
  onApprove: () => void;
  onReject: () => void;
}) {
  return (
    <Row id={request.id}>
      <Cell label="Discord User">
        <span className="flex items-center gap-3">
          <Avatar name={request.discord_username} picture={request.discord_avatar_url} />
          <span className="min-w-0">
            <span className="wrap-anywhere block font-medium">@{request.discord_username}</span>
            {request.discord_display_name ? (
              <span className="wrap-anywhere block text-muted text-xs">
                <bdi>{request.discord_display_name}</bdi>
              </span>
            ) : null}
          </span>
        </span>
      </Cell>
      <Cell label="Requested" className="whitespace-nowrap text-muted">
        <Timestamp at={request.created_at} />
      </Cell>
      <Cell label="Notion User">
        <NativeSelect
          className="w-[250px] max-w-full"
          label={`Notion user for @${request.discord_username}`}
          value={chosen}
          onValueChange={onChoose}
          placeholder="Select Notion user..."
          disabled={busy !== undefined}
          options={users.map((user) => ({
            value: user.id,
            label: user.email ? `${isolate(user.name)} (${user.email})` : user.name,
          }))}
        />
      </Cell>
      <Cell label="Actions">
        <div className="flex gap-2 @table:justify-end">
          <Button
            size="sm"
            busy={busy === 'approve'}
            busyLabel="Approving..."
            disabled={!chosen || busy === 'reject'}
            onClick={onApprove}
          >
            Approve
          </Button>
          <Button
            size="sm"
            variant="outline"
            busy={busy === 'reject'}
            busyLabel="Rejecting..."
            disabled={busy === 'approve'}
            onClick={onReject}
          >
            Reject
          </Button>
        </div>
        {failure ? <p className="mt-1.5 text-danger text-xs @table:text-right">{failure}</p> : null}
      </Cell>
    </Row>
  );
}
