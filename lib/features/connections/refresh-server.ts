import { db } from '@/lib/db/database';
import type { DiscordServer } from '@/lib/db/generated/client';
import { getGuildView } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { type SeenChannel, seenChannelsSchema, toSeenChannels } from './channels';
import { toPublicWays } from './public-ways';

export const BOT_GONE = 'The bot is no longer in this server. Connect the server again.';

/** The channels as they were last seen. */
export function lastSeenChannels(server: DiscordServer): SeenChannel[] {
  return seenChannelsSchema.parse(server.channels);
}

/**
 * Reads a server's channels from Discord and keeps them. Clears the problem of every channel where the bot
 * has access again. Throws DiscordError when Discord refuses or does not answer.
 */
export async function refreshServer(server: { id: string; guildId: string }): Promise<SeenChannel[]> {
  const channels = await readServer(server);
  const reachable = channels.filter((channel) => !channel.accessProblem).map(({ id }) => id);
  await db().channelProblem.deleteMany({ where: { channelId: { in: reachable } } });
  return channels;
}

/** The same, and leaves the problems of channels as they are. */
export async function readServer(server: { id: string; guildId: string }): Promise<SeenChannel[]> {
  const view = await getGuildView(server.guildId).catch(async (error) => {
    if (isBotGone(error)) {
      await db().discordServer.updateMany({ where: { id: server.id }, data: { problem: BOT_GONE } });
    }
    throw error;
  });
  const channels = toSeenChannels(view);
  await db().discordServer.updateMany({
    where: { id: server.id },
    data: {
      name: view.guild.name,
      channels,
      publicWays: toPublicWays(view.guild),
      channelsCheckedAt: new Date(),
      problem: null,
    },
  });
  return channels;
}

/** Whether Discord says that the bot is not in the server: unknown guild, unknown member or missing access. */
function isBotGone(error: unknown): boolean {
  return error instanceof DiscordError && [10004, 10007, 50001].includes(error.code);
}
