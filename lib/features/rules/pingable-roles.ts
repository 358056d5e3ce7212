import { db } from '@/lib/db/database';
import type { DiscordServer } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import type { SeenChannel } from '../connections/channels';
import { requireServer } from '../connections/require-connected';
import { lastSeenRoles, type SeenRole } from '../connections/roles';
import type { Mentions } from '../matching/schema';

/**
 * Throws `invalid_input` for a role that the server does not have, or that the bot cannot ping in the channel, and
 * `not_connected` when the server was disconnected since.
 */
export async function requirePingableRoles(
  server: Pick<DiscordServer, 'id' | 'accountId' | 'guildId'>,
  { roleIds }: Mentions,
  channel: SeenChannel | undefined,
): Promise<void> {
  if (roleIds.length === 0) return;
  // The roles as they were read with the channels.
  const roles = lastSeenRoles(await requireServer(db(), { accountId: server.accountId, id: server.id }));
  for (const id of roleIds) {
    const problem = whyNotPinged(id, { guildId: server.guildId, roles, channel });
    if (problem) throw new AppError('invalid_input', `mentions.roleIds: ${problem}`);
  }
}

interface Seen {
  guildId: string;
  roles: SeenRole[];
  channel: SeenChannel | undefined;
}

/** Why a role cannot be pinged, in a sentence; null when it can. */
export function whyNotPinged(roleId: string, { guildId, roles, channel }: Seen): string | null {
  if (roleId === guildId) return 'Pagewire never pings @everyone.';
  const role = roles.find(({ id }) => id === roleId);
  if (!role) return `The server has no role with the id "${roleId}".`;
  if (role.isMentionable || channel?.pingsAllRoles) return null;
  const where = channel ? ` in #${channel.name}` : '';
  return `The bot cannot ping @${role.name}${where}. Let anyone @mention this role in Discord, or give the bot the permission to mention all roles.`;
}
