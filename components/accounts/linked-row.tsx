'use client';

import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Cell, Row } from '@/components/ui/table';
import { Timestamp } from '@/components/ui/timestamp';
import { Tooltip } from '@/components/ui/tooltip';
import type { AccountLink } from '@/lib/features/links/schema';

const NOTIFY = {
  on: 'Gets direct messages',
  digest: 'Gets direct messages each morning',
  off: 'No direct messages',
};

/** Whether a person gets direct messages about pages, and whether these get through. */
function NotifyState({ account: { notify, inbox_problem: problem } }: { account: AccountLink }) {
  if (problem && notify !== 'off') {
    return <span className="basis-full text-warning text-xs">No direct messages get through: {problem}</span>;
  }
  return <span className="basis-full text-muted text-xs">{NOTIFY[notify]}</span>;
}

export function LinkedRow({
  account,
  isInstaller,
  onUnlink,
}: {
  account: AccountLink;
  isInstaller: boolean;
  onUnlink: () => void;
}) {
  const { discord_username: username } = account;
  const unlink = (
    <Button size="sm" variant="outline" disabled={isInstaller} onClick={onUnlink}>
      Unlink
    </Button>
  );
  return (
    <Row id={account.id}>
      <Cell label="Discord User">
        <span className="flex items-center gap-3">
          <Avatar name={username ?? account.notion_display_name} picture={account.discord_avatar_url} />
          <span className="min-w-0">
            {username ? (
              <span className="wrap-anywhere block font-medium">
                @{username}
                {account.discord_display_name ? (
                  <span className="font-normal text-muted">
                    {' '}
                    <bdi>{account.discord_display_name}</bdi>
                  </span>
                ) : null}
              </span>
            ) : null}
            <span className="wrap-anywhere block font-mono text-muted text-xs">
              {account.discord_user_id}
            </span>
          </span>
        </span>
      </Cell>
      <Cell label="Notion User">
        <span className="flex items-center gap-2">
          <Avatar name={account.notion_display_name} picture={account.notion_avatar_url} size="sm" />
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <bdi className="wrap-anywhere min-w-0 font-medium">{account.notion_display_name}</bdi>
            {isInstaller ? <Badge className="max-w-full whitespace-normal">Workspace Installer</Badge> : null}
            <NotifyState account={account} />
          </span>
        </span>
      </Cell>
      <Cell label="Linked" className="whitespace-nowrap text-muted">
        <Timestamp at={account.linked_at} />
      </Cell>
      <Cell label="Actions" className="@table:text-right">
        {isInstaller ? <Tooltip text="Workspace installer cannot be unlinked">{unlink}</Tooltip> : unlink}
      </Cell>
    </Row>
  );
}
