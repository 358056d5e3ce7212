import { PermissionFlagsBits, type RESTAPIPartialCurrentUserGuild } from 'discord-api-types/v10';
import { ASKED_PERMISSIONS, PERMISSIONS } from '@/lib/integrations/discord/permissions';
import { askDiscord } from './discord-call';
import { type Finding, fine, named, remark, wrong } from './finding';
import type { Subject } from './subject';

const MAX_SERVERS = 200;

/** Checks what the bot may do in its servers. */
export const discordServers: Subject = {
  name: 'Discord servers',
  check: async (context) => {
    const { status, json } = await askDiscord(context, 'GET', `/users/@me/guilds?limit=${MAX_SERVERS}`);
    // The application's subject already says why.
    if (status !== 200) return [];
    const servers = json as RESTAPIPartialCurrentUserGuild[];
    if (servers.length === 0) return [remark('The bot is in no server yet.')];
    const lacking = servers.filter(({ permissions }) => missingFrom(BigInt(permissions)).length > 0);
    const all = servers.length === 1 ? 'its server' : `its ${servers.length} servers`;
    if (lacking.length === 0) return [fine(`The bot has all permissions in ${all}.`)];
    return [judge(lacking, servers.length)];
  },
};

/** The names of the permissions that are missing. */
export function missingFrom(permissions: bigint): string[] {
  if (permissions & PermissionFlagsBits.Administrator) return [];
  return Object.entries(PERMISSIONS)
    .filter(([, bit]) => (permissions & bit) === 0n)
    .map(([name]) => name);
}

// If a few servers lack a permission, that is their owners' choice; if most do, it was never asked for.
function judge(lacking: RESTAPIPartialCurrentUserGuild[], of: number): Finding {
  const list = lacking.map(
    ({ name, permissions }) => `${name} (${missingFrom(BigInt(permissions)).join(', ')})`,
  );
  const text = `In ${lacking.length} of ${of} servers the bot lacks permissions: ${named(list)}.`;
  const fix = `Add the bot there again through Pagewire, which asks for ${ASKED_PERMISSIONS}, or grant them to its role.`;
  return lacking.length * 2 > of ? wrong(text, fix) : remark(text, fix);
}
