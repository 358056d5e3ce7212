import { z } from 'zod';
import { discordError } from '../discord-error';
import type { StoredChannel, StoredGuild } from '../state';
import type { World } from '../world';

export const BASE = '/_sandbox/discord';

/** Permissions as Discord writes them: a number in decimal digits. */
export const bits = z.string().regex(/^\d+$/).default('0');

export function channelOf(world: World, id: string): StoredChannel {
  const channel = world.channel(id);
  if (!channel) throw discordError('unknownChannel');
  return channel;
}

export function guildOf(world: World, id: string): StoredGuild {
  const guild = world.guild(id);
  if (!guild) throw discordError('unknownGuild');
  return guild;
}
