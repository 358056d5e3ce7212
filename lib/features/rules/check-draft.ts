import { db } from '@/lib/db/database';
import type { Account, DiscordServer, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import type { SeenChannel } from '../connections/channels';
import { notionProblem } from '../connections/queries';
import { lastSeenChannels } from '../connections/read-guild';
import { refreshDatabase, type StoredDatabase } from '../connections/refresh-workspace';
import { requireServer, requireWorkspace } from '../connections/require-connected';
import { refreshServer } from '../outbox/refresh-server';
import { requireKnownPeople } from './known-people';
import { requirePingableRoles } from './pingable-roles';
import type { RuleInput } from './schema';
import { type RuleFields, validateRule } from './validate-rule';

interface Draft {
  server: DiscordServer;
  workspace: NotionWorkspace;
  database: StoredDatabase;
  /** What would be stored. */
  fields: RuleFields;
}

/**
 * Checks an unsaved rule against Notion and Discord as they are now. Throws `not_connected`, `not_found` for an unknown
 * database or channel, and `invalid_input`.
 */
export async function checkDraft(account: Account, input: RuleInput): Promise<Draft> {
  const server = await requireServer(db(), { accountId: account.id });
  const workspace = await requireWorkspace(db(), { accountId: account.id });
  const [database, channels] = await Promise.all([
    refreshDatabase(workspace, input.databaseId).catch((error) => {
      throw notionProblem(error, 'That database is not shared with Pagewire.');
    }),
    currentChannels(server),
  ]);
  await requireKnownPeople(workspace, input.authors);
  if (database.isTrashed) throw new AppError('not_found', 'That database is in the trash.');
  const fields = validateRule(input, database, channels);
  await requirePingableRoles(
    server,
    input.mentions,
    channels.find(({ id }) => id === fields.channelId),
  );
  return { server, workspace, database, fields };
}

/**
 * The channels of a server as they are now, or were when Discord last answered. Throws `not_connected` when the bot is no
 * longer there.
 */
export async function currentChannels(server: DiscordServer): Promise<SeenChannel[]> {
  return refreshServer(server).catch((error) => {
    if (error instanceof DiscordError && error.isTransient) return lastSeenChannels(server);
    if (error instanceof DiscordError) {
      throw new AppError('not_connected', 'The bot is no longer in the server.');
    }
    throw error;
  });
}
