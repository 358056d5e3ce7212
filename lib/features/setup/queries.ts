import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { lastSeenPublicWays } from '../servers/public-ways';
import type { SetupStatus } from './schema';

/** Which of the two connections exist. Setup is needed while one is missing. */
export async function getSetupStatus(account: Account): Promise<SetupStatus> {
  const where = { accountId: account.id };
  const [servers, workspaces] = await Promise.all([
    db().discordServer.findMany({ where, orderBy: { installedAt: 'asc' } }),
    db().notionWorkspace.findMany({ where, orderBy: { connectedAt: 'asc' } }),
  ]);
  return {
    needsSetup: servers.length === 0 || workspaces.length === 0,
    discord: {
      connected: servers.length > 0,
      serversCount: servers.length,
      servers: servers.map((server) => ({
        id: server.id,
        guildId: server.guildId,
        serverName: server.name,
        publicWays: lastSeenPublicWays(server),
      })),
    },
    notion: { connected: workspaces.length > 0 },
    workspaces: workspaces.map(({ notionWorkspaceId, name }) => ({ id: notionWorkspaceId, name })),
  };
}
