import { PermissionFlagsBits as Bit, ChannelType } from 'discord-api-types/v10';
import type { Context } from 'hono';
import { discordError } from '../discord-error';
import { may, permissionsIn } from '../permissions';
import type { StoredChannel, StoredGuild, StoredMessage } from '../state';
import type { World } from '../world';

/** Throws unless the caller sends the bot's token. */
export function requireBot(world: World, c: Context): void {
  const expected = `Bot ${world.context.credentials.discord.botToken}`;
  if (c.req.header('authorization') !== expected) throw discordError('unauthorized');
}

export function requireApplication(world: World, c: Context): void {
  requireBot(world, c);
  if (c.req.param('app') !== world.applicationId) throw discordError('missingAccess');
}

export function isViewable(world: World, channel: StoredChannel, userId: string): boolean {
  // A private thread is visible to its members, and to anybody who may manage threads.
  const { isPrivate, hasBot } = channel.thread ?? {};
  const bits = permissionsIn(world.state, channel, userId, world.now());
  if (isPrivate && !(hasBot && userId === world.botId) && !may(bits, Bit.ManageThreads)) return false;
  if (may(bits, Bit.ViewChannel)) return true;
  if (channel.type !== ChannelType.GuildCategory || !channel.guildId) return false;
  const children = world.channelsOf(channel.guildId).filter((each) => each.parentId === channel.id);
  return children.some((each) => isViewable(world, each, userId));
}

/** The channel, if the bot sees it: 10003 when it does not exist, 50001 when it is hidden. */
export function requireChannel(world: World, id: string | undefined): StoredChannel {
  const channel = id ? world.channel(id) : undefined;
  if (!channel) throw discordError('unknownChannel');
  if (!isViewable(world, channel, world.botId)) throw discordError('missingAccess');
  return channel;
}

export function requirePermission(world: World, channel: StoredChannel, wanted: bigint): void {
  const bits = permissionsIn(world.state, channel, world.botId, world.now());
  if (!may(bits, wanted)) throw discordError('missingPermissions');
}

/** The server, if the bot is in it: 10004 when it is unknown, 50001 when the bot is not a member. */
export function requireGuild(world: World, id: string | undefined): StoredGuild {
  const guild = world.guild(id ?? null);
  if (!guild) throw discordError('unknownGuild');
  if (!world.isBotIn(guild.id)) throw discordError('missingAccess');
  return guild;
}

/** A message that is not ephemeral. */
export function requireMessage(world: World, channel: StoredChannel, id: string | undefined): StoredMessage {
  const message = id ? world.message(channel.id, id) : undefined;
  if (!message || message.ephemeralFor) throw discordError('unknownMessage');
  return message;
}

export async function jsonBody(c: Context): Promise<unknown> {
  const text = await c.req.text();
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    throw discordError('invalidJson');
  }
}
