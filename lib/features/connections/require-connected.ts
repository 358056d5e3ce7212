import type { Transaction } from '@/lib/db/database';
import type { DiscordServer, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';

interface Wanted {
  accountId: string;
  /** The id of the required connection; absent for any that the account has. */
  id?: string;
}

/** The server that an account has connected. Throws `not_connected`. */
export async function requireServer(client: Transaction, wanted: Wanted): Promise<DiscordServer> {
  const server = await client.discordServer.findFirst({ where: wanted });
  if (!server) throw new AppError('not_connected', 'No Discord server is connected.');
  return server;
}

/** The workspace that an account has connected. Throws `not_connected`. */
export async function requireWorkspace(client: Transaction, wanted: Wanted): Promise<NotionWorkspace> {
  const workspace = await client.notionWorkspace.findFirst({ where: wanted });
  if (!workspace) throw new AppError('not_connected', 'No Notion workspace is connected.');
  return workspace;
}
