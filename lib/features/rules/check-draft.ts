import { db } from '@/lib/db/database';
import type { Account, DiscordServer, NotionWorkspace } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { isBotGone } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { requireLinked } from '../letters/require-linked';
import { listKnownPeople, requireKnownPeople } from '../links/known-people';
import { refreshServer } from '../sending/refresh-server';
import type { SeenChannel } from '../servers/channels';
import { requireServer } from '../servers/queries';
import { lastSeenChannels } from '../servers/read-guild';
import { keepGuests } from '../workspaces/keep-guests';
import { requireWorkspace } from '../workspaces/queries';
import { requireComments } from './comment-rules';
import { requirePingableRoles } from './pingable-roles';
import type { RuleInput } from './schema';
import { type FoundSource, findSource } from './sources';
import { type RuleFields, validateRule } from './validate-rule';

export interface Draft {
  server: DiscordServer;
  workspace: NotionWorkspace;
  source: FoundSource;
  /** What would be stored. */
  fields: RuleFields;
  /** The tags of its channel, and whether every post there must have one. */
  forum: Pick<SeenChannel, 'tags' | 'needsTag'>;
}

/**
 * Checks an unsaved rule against Notion and Discord as they are now. Throws `not_connected`, `not_found` for an unknown
 * source or channel, and `invalid_input`.
 */
export async function checkDraft(account: Account, input: RuleInput): Promise<Draft> {
  const server = await requireServer(db(), { accountId: account.id });
  const workspace = await requireWorkspace(db(), { accountId: account.id });
  const [source, channels] = await Promise.all([
    findSource(workspace, input.source),
    currentChannels(server),
  ]);
  await requireComments(workspace, input);
  await keepGuests(workspace, input.authors.people);
  const people = await listKnownPeople(workspace);
  requireKnownPeople(workspace, input.authors, people);
  await requireLinked(account.id, input.destination);
  const fields = validateRule(input, source, { channels, people });
  const channel = channels.find(({ id }) => id === fields.channelId);
  await requirePingableRoles(server, input.mentions, channel);
  return { server, workspace, source, fields, forum: channel ?? { tags: [], needsTag: false } };
}

/**
 * The channels of a server as they are now, or as last read while Discord does not show them. Throws `not_connected`
 * when the bot is no longer there.
 */
export async function currentChannels(server: DiscordServer): Promise<SeenChannel[]> {
  return refreshServer(server).catch((error) => {
    if (isBotGone(error)) throw new AppError('not_connected', 'The bot is no longer in the server.');
    if (error instanceof DiscordError) return lastSeenChannels(server);
    throw error;
  });
}
