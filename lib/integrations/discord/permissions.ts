import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import type { Guild, GuildChannel, GuildView } from './discord-guild';

/** The permissions that the bot asks for, by Discord's own names. */
export const PERMISSIONS = {
  'View Channel': PermissionFlagsBits.ViewChannel,
  'Send Messages': PermissionFlagsBits.SendMessages,
  'Embed Links': PermissionFlagsBits.EmbedLinks,
  'Read Message History': PermissionFlagsBits.ReadMessageHistory,
  'Create Public Threads': PermissionFlagsBits.CreatePublicThreads,
  'Send Messages in Threads': PermissionFlagsBits.SendMessagesInThreads,
} as const;

/** All these permissions as one number, for Discord's URLs. */
export const ASKED_PERMISSIONS = Object.values(PERMISSIONS).reduce((all, bit) => all | bit, 0n);

type PermissionName = keyof typeof PERMISSIONS;

type Place = 'channel' | 'thread' | 'forum' | 'below_cards';

/**
 * What the bot needs to post cards in a channel, to write in a thread, to make posts in a forum and write there, and to
 * start threads below its cards and write there.
 */
const NEEDED_IN: Record<Place, PermissionName[]> = {
  channel: ['View Channel', 'Send Messages', 'Embed Links'],
  thread: ['View Channel', 'Send Messages in Threads', 'Embed Links'],
  forum: ['View Channel', 'Send Messages', 'Embed Links', 'Send Messages in Threads'],
  below_cards: ['Create Public Threads', 'Send Messages in Threads'],
};

const { Administrator, ManageThreads, ManageGuild, MentionEveryone } = PermissionFlagsBits;
const ALL = (1n << 64n) - 1n;

/** A permission that the bot needs and lacks, and where it is denied. */
export interface MissingPermission {
  permission: PermissionName;
  /** The server's roles, the category that the channel is synced with, or the channel's own overwrites. */
  level: 'server' | 'category' | 'channel';
  /** The role or member that the overwrite denies it to; null at server level. */
  deniedFor: string | null;
}

/** What keeps the bot from posting in a channel, in a thread of it, in a forum, or below its cards; null for nothing. */
export function missingPermission(
  view: GuildView,
  channel: GuildChannel,
  place: Place,
): MissingPermission | null {
  const permissions = botPermissions(view, channel, place === 'thread' ? 'thread' : 'channel');
  const permission = NEEDED_IN[place].find((name) => (permissions & PERMISSIONS[name]) === 0n);
  if (!permission) return null;
  const deniedFor = deniedBy(view, channel, PERMISSIONS[permission]);
  if (!deniedFor) return { permission, level: 'server', deniedFor };
  return { permission, level: isInSync(view, channel) ? 'category' : 'channel', deniedFor };
}

// Discord copies a category's overwrites into the channels that are synced with it.
function isInSync(view: GuildView, channel: GuildChannel): boolean {
  const category = view.channels.find(({ id }) => id === channel.parent_id);
  const overwritesIn = ({ permission_overwrites }: GuildChannel) =>
    permission_overwrites
      .map(({ id, type, allow, deny }) => `${id} ${type} ${allow} ${deny}`)
      .sort()
      .join();
  return category !== undefined && overwritesIn(category) === overwritesIn(channel);
}

/**
 * The bot's effective permissions in a channel, by Discord's documented order: server-wide roles, then the
 * channel's overwrites for everyone, for the bot's roles together, and for the bot itself.
 */
export function botPermissions(
  view: GuildView,
  channel: GuildChannel,
  place: 'channel' | 'thread' = 'channel',
): bigint {
  const base = serverPermissions(view.guild, view.botUserId, view.botRoleIds);
  if (base === ALL) return ALL;

  const apply = (permissions: bigint, overwrites: { allow: bigint; deny: bigint }[]) => {
    const deny = overwrites.reduce((all, overwrite) => all | overwrite.deny, 0n);
    const allow = overwrites.reduce((all, overwrite) => all | overwrite.allow, 0n);
    return (permissions & ~deny) | allow;
  };
  const { everyone, roles, self } = overwritesOf(view, channel);
  const permissions = apply(apply(apply(base, everyone), roles), self);
  if ((permissions & PERMISSIONS['View Channel']) === 0n) return 0n;
  // Without being able to send, the permissions that only refine it have no effect.
  const sends = place === 'thread' ? PERMISSIONS['Send Messages in Threads'] : PERMISSIONS['Send Messages'];
  if ((permissions & sends) === 0n) return permissions & ~PERMISSIONS['Embed Links'];
  return permissions;
}

/** Whether the bot may post in locked threads of a channel. */
export function managesThreads(view: GuildView, channel: GuildChannel): boolean {
  return (botPermissions(view, channel, 'thread') & ManageThreads) !== 0n;
}

/** Whether the bot may ping every role in a channel, even roles that not everybody can mention. */
export function mayPingAllRoles(view: GuildView, channel: GuildChannel): boolean {
  return (botPermissions(view, channel) & MentionEveryone) !== 0n;
}

/** Whether a member may manage the server: as its owner, as an administrator, or through a role with Manage Server. */
export function managesServer(guild: Guild, userId: string, roleIds: string[]): boolean {
  return (serverPermissions(guild, userId, roleIds) & ManageGuild) !== 0n;
}

function serverPermissions(guild: Guild, userId: string, roleIds: string[]): bigint {
  if (guild.owner_id === userId) return ALL;
  const granted = guild.roles
    .filter((role) => role.id === guild.id || roleIds.includes(role.id))
    .reduce((all, role) => all | role.permissions, 0n);
  return granted & Administrator ? ALL : granted;
}

/** When the bot's timeout in a server ends; null when it is not timed out, or exempt. */
export function timedOutUntil({ guild, botUserId, botRoleIds, botTimedOutUntil }: GuildView): Date | null {
  const isExempt = (serverPermissions(guild, botUserId, botRoleIds) & Administrator) !== 0n;
  return isExempt ? null : botTimedOutUntil;
}

function overwritesOf({ guild, botUserId, botRoleIds }: GuildView, channel: GuildChannel) {
  const all = channel.permission_overwrites;
  return {
    everyone: all.filter((overwrite) => overwrite.type === OverwriteType.Role && overwrite.id === guild.id),
    roles: all.filter(
      (overwrite) => overwrite.type === OverwriteType.Role && botRoleIds.includes(overwrite.id),
    ),
    self: all.filter((overwrite) => overwrite.type === OverwriteType.Member && overwrite.id === botUserId),
  };
}

function deniedBy(view: GuildView, channel: GuildChannel, bit: bigint): string | null {
  const { everyone, roles, self } = overwritesOf(view, channel);
  const denies = (overwrite: { deny: bigint }) => (overwrite.deny & bit) !== 0n;
  if (self.some(denies)) return 'the bot itself';
  const role = roles.find(denies);
  if (role) return `the role ${view.guild.roles.find(({ id }) => id === role.id)?.name ?? role.id}`;
  return everyone.some(denies) ? '@everyone' : null;
}
