'use client';

import { PRODUCT } from '@/components/brand/product';
import { WireDrawing } from '@/components/brand/wire-drawing';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Card, CardHeader } from '@/components/ui/card';
import { DisconnectZone } from '@/components/ui/disconnect-zone';
import { EmptyState } from '@/components/ui/empty-state';
import { Fact, Facts } from '@/components/ui/facts';
import { PageHeader } from '@/components/ui/page-header';
import { ReadFailed } from '@/components/ui/read-failed';
import { RefreshButton } from '@/components/ui/refresh-button';
import { isolate } from '@/lib/bidi';
import { failureText } from '@/lib/client/error-text';
import { useLookAtNotion } from '@/lib/client/look-again';
import { useWorkspace } from '@/lib/client/resources';
import { ConnectWorkspaceButton } from './connect-workspace-button';
import { DatabaseRow } from './database-row';
import { NotionIcon } from './notion-icon';

const HEADER = <PageHeader title="Notion" description="The workspace whose databases are watched." />;

export function NotionScreen() {
  const { data: workspace, error, mutate } = useWorkspace();
  const look = useLookAtNotion();
  if (workspace === undefined)
    return (
      <>
        {HEADER}
        <ReadFailed onRetry={mutate}>{failureText(error, 'Failed to load the Notion workspace')}</ReadFailed>
      </>
    );
  if (!workspace)
    return (
      <>
        {HEADER}
        <Card>
          <EmptyState
            drawing={<WireDrawing />}
            title="No Notion Workspace Connected"
            action={<ConnectWorkspaceButton />}
          >
            Authorize a workspace and pick the databases to share. Nothing else in it can be read.
          </EmptyState>
        </Card>
      </>
    );

  return (
    <>
      {HEADER}
      <div className="space-y-4">
        {workspace.problem ? (
          <Alert variant="danger" title="Connection lost" action={<ConnectWorkspaceButton again />}>
            {workspace.problem}
          </Alert>
        ) : null}
        <Card className="p-5" aria-label="Connected workspace">
          <div className="flex flex-wrap items-center gap-4">
            <NotionIcon icon={workspace.icon} size="lg" />
            <div className="min-w-0 flex-1 basis-48">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 className="wrap-anywhere font-semibold text-lg">
                  <bdi>{workspace.name}</bdi>
                </h2>
                {workspace.problem ? null : <Badge variant="signal">Connected</Badge>}
              </div>
              <p className="wrap-anywhere font-mono text-muted text-xs">{workspace.id}</p>
            </div>
          </div>
          <Facts className="mt-5 grid-cols-2 border-t pt-4">
            <Fact name="Total Databases">{workspace.databases.length}</Fact>
            <Fact name="Task Databases">
              {workspace.databases.filter((database) => database.type === 'task').length}
            </Fact>
          </Facts>
        </Card>
        <Alert>
          To add more databases, share them with {PRODUCT} in Notion. Task databases (those with a Status
          property) support quick actions and assignment.
        </Alert>
        <Card aria-labelledby="databases-title">
          <CardHeader
            id="databases-title"
            title="Shared Databases"
            action={<RefreshButton checkedAt={workspace.checkedAt} look={look} />}
          />
          {workspace.databases.length === 0 ? (
            <p className="border-t px-5 py-6 text-muted">
              No database is shared yet. In Notion, open a database, choose Connections in its menu, and add{' '}
              {PRODUCT}.
            </p>
          ) : (
            <ul className="divide-y border-t">
              {workspace.databases.map((database) => (
                <DatabaseRow key={database.id} database={database} />
              ))}
            </ul>
          )}
        </Card>
        <DisconnectZone
          heading="Disconnect this workspace"
          consequence="Pagewire loses its access. The rules for the workspace and the links of people go with it."
          label="Disconnect Workspace"
          path="/api/app/notion/workspace"
          id={workspace.id}
          title="Disconnect Notion Workspace?"
          warning={`Access to ${isolate(workspace.name)} is revoked. All rules for this workspace will be deleted. The links of people under Accounts are deleted too. This action cannot be undone.`}
          failure="Failed to disconnect workspace"
        />
      </div>
    </>
  );
}
