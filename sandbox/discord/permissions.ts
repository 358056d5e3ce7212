import { PermissionFlagsBits as Bit, OverwriteType } from 'discord-api-types/v10';
import type { DiscordState, StoredChannel, StoredGuild } from './state';

export const ALL_PERMISSIONS = Object.values(Bit).reduce((all, bit) => all | bit, 0n);

const TIMED_OUT = Bit.ViewChannel | Bit.ReadMessageHistory;
const VOID_WITHOUT_SEND = Bit.EmbedLinks | Bit.AttachFiles | Bit.MentionEveryone;

/** What a member may do in the server, before any channel's overwrites; 0 for a non-member. */
export function serverPermissions(guild: StoredGuild, userId: string): bigint {
  const member = guild.members.find((each) => each.userId === userId);
  if (!member) return 0n;
  if (guild.ownerId === userId) return ALL_PERMISSIONS;
  const granted = guild.roles
    .filter((role) => role.id === guild.id || member.roles.includes(role.id))
    .reduce((bits, role) => bits | BigInt(role.permissions), 0n);
  return granted & Bit.Administrator ? ALL_PERMISSIONS : granted;
}

/**
 * What a member may do in one channel, in Discord's order: @everyone's overwrite, then all role overwrites at once
 * (denies before allows), then the member's own, then the implicit rules.
 */
function channelPermissions(guild: StoredGuild, channel: StoredChannel, userId: string, now: Date): bigint {
  const member = guild.members.find((each) => each.userId === userId);
  const base = serverPermissions(guild, userId);
  if (!member || base === ALL_PERMISSIONS) return base;

  let bits = base;
  const apply = (allow: bigint, deny: bigint) => {
    bits = (bits & ~deny) | allow;
  };
  const ofRole = (id: string) =>
    channel.overwrites.filter((each) => each.type === OverwriteType.Role && each.id === id);
  const union = (side: 'allow' | 'deny', ids: string[]) =>
    ids.flatMap(ofRole).reduce((all, each) => all | BigInt(each[side]), 0n);
  apply(union('allow', [guild.id]), union('deny', [guild.id]));
  apply(union('allow', member.roles), union('deny', member.roles));
  const own = channel.overwrites.find((each) => each.type === OverwriteType.Member && each.id === userId);
  if (own) apply(BigInt(own.allow), BigInt(own.deny));

  if (member.timedOutUntil && new Date(member.timedOutUntil) > now) bits &= TIMED_OUT;
  if (!(bits & Bit.ViewChannel)) return 0n;
  if (!(bits & Bit.SendMessages)) bits &= ~VOID_WITHOUT_SEND;
  return bits;
}

/** Like channelPermissions, but for any channel: in a direct message both sides may do what they need. */
export function permissionsIn(
  state: DiscordState,
  channel: StoredChannel,
  userId: string,
  now: Date,
): bigint {
  const guild = channel.guildId ? state.guilds[channel.guildId] : undefined;
  // A thread has its channel's overwrites.
  const parent = channel.thread ? state.channels[channel.parentId ?? ''] : undefined;
  if (guild) return channelPermissions(guild, parent ?? channel, userId, now);
  if (!channel.recipients.includes(userId)) return 0n;
  return Bit.ViewChannel | Bit.SendMessages | Bit.EmbedLinks | Bit.ReadMessageHistory | Bit.AddReactions;
}

export function may(bits: bigint, wanted: bigint): boolean {
  return (bits & wanted) === wanted;
}
