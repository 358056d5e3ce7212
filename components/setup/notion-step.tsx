'use client';

import { FileText } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { IconTile } from '@/components/ui/icon-tile';
import { count } from '@/lib/client/format';
import type { SetupStatus } from '@/lib/features/setup/schema';
import { SetupStep } from './setup-step';
import type { useConnectNotion } from './use-connect';

export function NotionStep({
  status,
  action: { busy, connect },
}: {
  status: SetupStatus;
  action: ReturnType<typeof useConnectNotion>;
}) {
  const ready = status.discord.connected;
  return (
    <SetupStep
      icon={<IconTile tone="ink" icon={FileText} />}
      title="Connect Notion Workspace"
      description="You pick the databases whose changes may leave the workspace."
      connected={status.notion.connected}
      waiting={!ready && !status.notion.connected}
    >
      {status.notion.connected ? (
        <p className="text-muted">{count(status.workspaces.length, 'workspace')} connected</p>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button busy={busy} busyLabel="Opening Notion..." disabled={!ready} onClick={connect}>
            Connect Notion Workspace
          </Button>
          <p className="text-pretty text-muted">
            {ready ? "You'll authorize access to your Notion workspace" : 'Complete Discord setup first'}
          </p>
        </div>
      )}
    </SetupStep>
  );
}
