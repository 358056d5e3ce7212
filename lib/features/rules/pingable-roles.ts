import { db } from '@/lib/db/database';
import type { DiscordServer, Rule as RuleRow } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import type { Mentions } from '../matching/schema';
import { termsOf } from '../matching/terms';
import type { SeenChannel } from '../servers/channels';
import { requireServer } from '../servers/queries';
import { lastSeenChannels } from '../servers/read-guild';
import { lastSeenRoles, type SeenRole } from '../servers/roles';
import type { RuleProblem } from './schema';

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

/**
 * The roles that rules name and that cannot be pinged, by rule id, as far as the roles were last seen. A rule whose
 * channel is gone has none, because it pings nobody anyway. Does not ask Discord.
 */
export async function findPingProblems(
  accountId: string,
  rules: RuleRow[],
): Promise<Map<string, RuleProblem[]>> {
  const pinging = rules.filter((rule) => termsOf(rule).mentions.roleIds.length > 0);
  const servers = pinging.length > 0 ? await db().discordServer.findMany({ where: { accountId } }) : [];
  const seen = servers.map((server) => ({
    id: server.id,
    guildId: server.guildId,
    roles: lastSeenRoles(server),
    channels: lastSeenChannels(server),
  }));
  return new Map(
    pinging.map((rule) => {
      const server = seen.find(({ id }) => id === rule.serverId);
      const channel = server?.channels.find(({ id }) => id === rule.channelId);
      // The list of roles is empty until Discord has been asked for it.
      if (!server || !channel || server.roles.length === 0) return [rule.id, []];
      const problems = termsOf(rule).mentions.roleIds.flatMap((id): RuleProblem[] => {
        const text = whyNotPinged(id, { ...server, channel });
        return text === null ? [] : [{ part: 'mentions', id, text }];
      });
      return [rule.id, problems];
    }),
  );
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
