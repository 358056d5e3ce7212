import { ChannelType } from 'discord-api-types/v10';
import { isViewable } from '../rest/access';
import type { StoredChannel, StoredGuild } from '../state';
import type { World } from '../world';

export interface Group {
  category: StoredChannel | undefined;
  channels: StoredChannel[];
}

/** The channels that a person sees in a server, by category and in Discord's order. */
export function groupsFor(world: World, guild: StoredGuild, userId: string): Group[] {
  const visible = world.channelsOf(guild.id).filter((channel) => isViewable(world, channel, userId));
  const categories = visible.filter(({ type }) => type === ChannelType.GuildCategory).sort(inOrder);
  const within = (category: StoredChannel | undefined) =>
    visible
      .filter(
        ({ type, parentId }) => type !== ChannelType.GuildCategory && parentId === (category?.id ?? null),
      )
      .sort(inOrder);
  return [undefined, ...categories]
    .map((category) => ({ category, channels: within(category) }))
    .filter(({ channels }) => channels.length > 0);
}

export function guildsFor(world: World, userId: string): StoredGuild[] {
  return Object.values(world.state.guilds).filter((guild) =>
    guild.members.some((each) => each.userId === userId),
  );
}

/** The direct messages between a person and the bot. */
export function directMessagesOf(world: World, userId: string): StoredChannel[] {
  return Object.values(world.state.channels).filter(
    (each) => !each.guildId && each.recipients.includes(userId),
  );
}

/** The channel that a server's icon links to: the first one that holds messages. */
export function firstChannel(world: World, guild: StoredGuild, userId: string): StoredChannel | undefined {
  const all = groupsFor(world, guild, userId).flatMap(({ channels }) => channels);
  return all.find(({ type }) => type === ChannelType.GuildText) ?? all[0];
}

/** Voice channels come after text channels; otherwise by position, then by age. */
function inOrder(one: StoredChannel, other: StoredChannel): number {
  const isVoice = (channel: StoredChannel) => Number(channel.type === ChannelType.GuildVoice);
  return (
    isVoice(one) - isVoice(other) ||
    one.position - other.position ||
    (BigInt(one.id) < BigInt(other.id) ? -1 : 1)
  );
}
