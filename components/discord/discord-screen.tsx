'use client';

import { WireDrawing } from '@/components/brand/wire-drawing';
import { Alert } from '@/components/ui/alert';
import { Avatar } from '@/components/ui/avatar';
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
import { formatDate, formatExactTime } from '@/lib/client/format';
import { useLookAtDiscord } from '@/lib/client/look-again';
import { useServer } from '@/lib/client/resources';
import { ChannelList } from './channel-list';
import { CommandsNote } from './commands-note';
import { ConnectServerButton } from './connect-server-button';
import { TakeoversAsked } from './takeover-asked';
import { TakeoversWanted } from './takeover-wanted';

const HEADER = <PageHeader title="Discord" description="The server whose channels receive the cards." />;

export function DiscordScreen() {
  const { data: server, error, mutate } = useServer();
  const look = useLookAtDiscord();
  if (server === undefined)
    return (
      <>
        {HEADER}
        <ReadFailed onRetry={mutate}>{failureText(error, 'Failed to load the Discord server')}</ReadFailed>
      </>
    );
  if (!server)
    return (
      <>
        {HEADER}
        <Card>
          <EmptyState
            drawing={<WireDrawing />}
            title="No Discord Server Connected"
            action={<ConnectServerButton />}
          >
            Add the bot to a server you manage. It posts only where a rule sends it.
          </EmptyState>
        </Card>
        <div className="mt-4 space-y-4">
          <TakeoversWanted />
        </div>
      </>
    );

  return (
    <>
      {HEADER}
      <div className="space-y-4">
        <TakeoversAsked />
        <TakeoversWanted />
        {server.problem ? (
          <Alert variant="danger" title="Connection lost" action={<ConnectServerButton again />}>
            {server.problem}
          </Alert>
        ) : null}
        <Card className="p-5" aria-label="Connected server">
          <div className="flex flex-wrap items-center gap-4">
            <Avatar name={server.name} picture={server.iconUrl} size="tile" />
            <div className="min-w-0 flex-1 basis-48">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <h2 className="wrap-anywhere font-semibold text-lg">
                  <bdi>{server.name}</bdi>
                </h2>
                {server.problem ? null : <Badge variant="signal">Connected</Badge>}
              </div>
              <p className="wrap-anywhere font-mono text-muted text-xs">{server.id}</p>
            </div>
          </div>
          <Facts className="mt-5 border-t pt-4">
            <Fact name="Guild ID" mono>
              {server.guildId}
            </Fact>
            <Fact name="Connected Since">
              <time dateTime={server.installedAt} title={formatExactTime(server.installedAt)}>
                {formatDate(server.installedAt)}
              </time>
            </Fact>
          </Facts>
        </Card>
        <Alert title="Permission Check">
          The bot needs Send Messages and Embed Links in each channel that a rule uses. Where it has No
          Access, ask a server administrator to allow both for the bot's role.
        </Alert>
        <CommandsNote publicWays={server.publicWays} />
        <Card aria-labelledby="channels-title">
          <CardHeader
            id="channels-title"
            title="Available Channels"
            action={<RefreshButton checkedAt={server.checkedAt} look={look} />}
          />
          {server.channels.length === 0 ? (
            <p className="border-t px-5 py-6 text-muted">
              The bot sees no channel. Give its role View Channel where cards should go.
            </p>
          ) : (
            <ChannelList channels={server.channels} told={server.problem} />
          )}
        </Card>
        <DisconnectZone
          heading="Disconnect this server"
          consequence="The bot leaves, and nothing is posted there any more. The rules for the server go with it."
          label="Disconnect Server"
          path="/api/app/discord/server"
          id={server.id}
          title="Disconnect Discord Server?"
          warning={`The bot leaves ${isolate(server.name)}. All rules for this server will be deleted. This action cannot be undone.`}
          failure="Failed to disconnect server"
        />
      </div>
    </>
  );
}
