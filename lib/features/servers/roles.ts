import { z } from 'zod';
import type { DiscordServer } from '@/lib/db/generated/client';
import type { GuildView } from '@/lib/integrations/discord/discord-guild';
import { byAge } from '@/lib/integrations/discord/snowflake';

const seenRolesSchema = z.array(z.object({ id: z.string(), name: z.string(), isMentionable: z.boolean() }));

/** A role as it was last seen, kept with its server. */
export type SeenRole = z.infer<typeof seenRolesSchema>[number];

/** The roles of a server without @everyone, in the order of Discord's own list. */
export function toSeenRoles({ guild }: GuildView): SeenRole[] {
  return guild.roles
    .filter(({ id }) => id !== guild.id)
    .sort((a, b) => b.position - a.position || byAge(a, b))
    .map(({ id, name, mentionable }) => ({ id, name, isMentionable: mentionable }));
}

/** The roles as they were last seen. */
export const lastSeenRoles = ({ roles }: Pick<DiscordServer, 'roles'>) => seenRolesSchema.parse(roles);
