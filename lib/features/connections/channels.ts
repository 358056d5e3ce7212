import { z } from 'zod';
import type { GuildChannel, GuildView } from '@/lib/integrations/discord/discord-guild';
import { mayPingAllRoles, missingPermission } from '@/lib/integrations/discord/permissions';
import { accessFix, accessProblem } from './access-words';

const GUILD_TEXT = 0;
const GUILD_CATEGORY = 4;
const GUILD_ANNOUNCEMENT = 5;

/** A channel as it was last seen, kept with its server. */
const seenChannelSchema = z.object({
  id: z.string(),
  name: z.string(),
  category: z.string().nullable(),
  accessProblem: z.string().nullable(),
  /** How the account holder gives the bot the missing permission. */
  accessFix: z.string().nullable().default(null),
  /** Whether the bot can ping every role there, also those that not anyone can mention. */
  pingsAllRoles: z.boolean().default(false),
});

export const seenChannelsSchema = z.array(seenChannelSchema);
export type SeenChannel = z.infer<typeof seenChannelSchema>;

/** The channels in which cards can be posted, in the order of Discord's own list, with what the bot lacks there. */
export function toSeenChannels(view: GuildView): SeenChannel[] {
  const categories = new Map(
    view.channels
      .filter((channel) => channel.type === GUILD_CATEGORY)
      .map((channel) => [channel.id, channel]),
  );
  const categoryOf = (channel: GuildChannel) => categories.get(channel.parent_id ?? '');
  return view.channels
    .filter((channel) => channel.type === GUILD_TEXT || channel.type === GUILD_ANNOUNCEMENT)
    .sort((a, b) => byCategory(categoryOf(a), categoryOf(b)) || byPosition(a, b))
    .map((channel) => {
      const missing = missingPermission(view, channel);
      const names = { name: channel.name, category: categoryOf(channel)?.name ?? null };
      return {
        id: channel.id,
        ...names,
        accessProblem: missing && accessProblem(missing, names),
        accessFix: missing && accessFix(missing, names),
        pingsAllRoles: mayPingAllRoles(view, channel),
      };
    });
}

// Discord lists channels without a category above all categories.
function byCategory(a: GuildChannel | undefined, b: GuildChannel | undefined): number {
  if (a === b) return 0;
  if (!a) return -1;
  return b ? byPosition(a, b) : 1;
}

function byPosition(a: GuildChannel, b: GuildChannel): number {
  return a.position - b.position || (BigInt(a.id) < BigInt(b.id) ? -1 : 1);
}
