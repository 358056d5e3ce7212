'use client';

import { MessageSquare } from 'lucide-react';
import { CommandsNote } from '@/components/discord/commands-note';
import { Button } from '@/components/ui/button';
import { IconTile } from '@/components/ui/icon-tile';
import { count } from '@/lib/client/format';
import type { SetupStatus } from '@/lib/features/setup/schema';
import { SetupStep } from './setup-step';
import type { useConnectDiscord } from './use-connect';

export function DiscordStep({
  discord,
  action: { busy, connect },
}: {
  discord: SetupStatus['discord'];
  action: ReturnType<typeof useConnectDiscord>;
}) {
  return (
    <SetupStep
      icon={<IconTile tone="blurple" icon={MessageSquare} />}
      title="Connect Discord Server"
      description="The bot posts cards into your channels and answers commands there."
      connected={discord.connected}
    >
      {discord.connected ? (
        <>
          <p className="text-muted">Connected to {count(discord.serversCount, 'server')}</p>
          <ul className="mt-2 space-y-1">
            {discord.servers.map((server) => (
              <li key={server.id} className="font-medium">
                <bdi>{server.serverName ?? server.guildId}</bdi>
              </li>
            ))}
          </ul>
          <div className="mt-4">
            <CommandsNote publicWays={discord.servers.flatMap(({ publicWays }) => publicWays)} />
          </div>
        </>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button variant="discord" busy={busy} busyLabel="Opening Discord..." onClick={connect}>
              Add Bot to Discord Server
            </Button>
            <p className="text-pretty text-muted">You'll choose which server to add the bot to</p>
          </div>
          <p className="mt-3 text-pretty text-muted text-xs">
            All members of that server will be able to search the shared Notion pages by title, create tasks
            and change the status of tasks.
          </p>
        </>
      )}
    </SetupStep>
  );
}
