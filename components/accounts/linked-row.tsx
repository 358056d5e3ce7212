'use client';

import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Cell, Row } from '@/components/ui/table';
import { Timestamp } from '@/components/ui/timestamp';
import { Tooltip } from '@/components/ui/tooltip';
import type { AccountLink } from '@/lib/features/links/schema';

export function LinkedRow({
  account,
  isInstaller,
  onUnlink,
}: {
  account: AccountLink;
  isInstaller: boolean;
  onUnlink: () => void;
}) {
  const unlink = (
    <Button size="sm" variant="outline" disabled={isInstaller} onClick={onUnlink}>
      Unlink
    </Button>
  );
  return (
    <Row>
      <Cell label="Discord User" className="font-mono text-[13px]">
        {account.discord_user_id}
      </Cell>
      <Cell label="Notion User">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{account.notion_display_name}</span>
          {isInstaller ? <Badge>Workspace Installer</Badge> : null}
        </span>
      </Cell>
      <Cell label="Linked" className="text-muted">
        <Timestamp at={account.linked_at} />
      </Cell>
      <Cell label="Actions" className="md:text-right">
        {isInstaller ? <Tooltip text="Workspace installer cannot be unlinked">{unlink}</Tooltip> : unlink}
      </Cell>
    </Row>
  );
}
