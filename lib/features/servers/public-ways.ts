import { GuildFeature } from 'discord-api-types/v10';
import { z } from 'zod';
import type { DiscordServer } from '@/lib/db/generated/client';
import type { Guild } from '@/lib/integrations/discord/discord-guild';
import { type PublicWay, publicWaySchema } from './schema';

/**
 * How anybody can join a server, as far as Discord shows that to a bot without Manage Server. Invites that somebody
 * posted elsewhere are not included.
 */
export function toPublicWays({
  features,
  vanity_url_code,
  widget_enabled,
  widget_channel_id,
}: Guild): PublicWay[] {
  const ways: PublicWay[] = [];
  if (features.includes(GuildFeature.Discoverable)) ways.push('discovery');
  if (vanity_url_code) ways.push('vanity_link');
  // A widget without a channel shows no invite.
  if (widget_enabled && widget_channel_id) ways.push('widget');
  return ways;
}

/** The public ways as they were last seen. */
export function lastSeenPublicWays(server: Pick<DiscordServer, 'publicWays'>): PublicWay[] {
  return z.array(publicWaySchema).parse(server.publicWays);
}
