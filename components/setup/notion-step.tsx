'use client';

import { FileText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { IconTile } from '@/components/ui/icon-tile';
import { failureText } from '@/lib/client/error-text';
import { count } from '@/lib/client/format';
import { log } from '@/lib/client/log';
import type { SetupStatus } from '@/lib/features/setup/schema';
import { goToNotionAuthorize } from './connect-calls';
import { SetupStep } from './setup-step';

export function NotionStep({ status, onError }: { status: SetupStatus; onError: (message: string) => void }) {
  const [busy, setBusy] = useState(false);
  const ready = status.discord.connected;

  async function connect() {
    setBusy(true);
    try {
      await goToNotionAuthorize('/setup');
    } catch (error) {
      log.error('Failed to start Notion connection', error);
      setBusy(false);
      onError(failureText(error, 'Failed to start Notion connection'));
    }
  }

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
