import { db } from '@/lib/db/database';
import type { Account, DiscordServer } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { guildIconUrl } from '@/lib/integrations/discord/discord-cdn';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { log } from '@/lib/log';
import { isoUnlessEpoch, isRecent, SECOND_MS } from '@/lib/time';
import { renameChannels } from '../rules/commands';
import { refreshServer } from '../sending/refresh-server';
import { CHANNEL_GONE } from '../servers/access-words';
import { lastSeenPublicWays } from '../servers/public-ways';
import { requireServer } from '../servers/queries';
import { invalidateReading, lastSeenChannels } from '../servers/read-guild';
import { lastSeenRoles } from '../servers/roles';
import type { Server } from '../servers/schema';

// Every open dashboard asks every few seconds; within this time all of them share one reading of Discord.
const FRESH_MS = 10 * SECOND_MS;

/** The connected server with its channels as the bot sees them now, or null. */
export async function findServer(account: Account): Promise<Server | null> {
  const server = await db().discordServer.findFirst({ where: { accountId: account.id } });
  if (!server) return null;
  const [seen, usage] = await Promise.all([currentChannels(server), countRulesByChannel(account.id)]);
  // It may have been disconnected while Discord answered.
  const seenNow = await db().discordServer.findFirst({ where: { id: server.id, accountId: account.id } });
  if (!seenNow) return null;
  const { problem } = seenNow;
  const visible = seen.map(({ accessFix: _, threadProblem: __, ...channel }) => {
    const accessProblem = problem ?? channel.accessProblem;
    const usedInRules = usage.get(channel.id)?.rules ?? 0;
    return { ...channel, accessProblem, botHasAccess: accessProblem === null, usedInRules, isGone: false };
  });
  const vanished = [...usage.entries()]
    .filter(([id]) => !seen.some((channel) => channel.id === id))
    .map(([id, { name, rules }]) => ({
      id,
      name,
      category: null,
      botHasAccess: false,
      accessProblem: problem ?? CHANNEL_GONE,
      pingsAllRoles: false,
      usedInRules: rules,
      isGone: true,
      kind: 'text' as const,
      parentName: null,
      isArchived: false,
      tags: [],
      needsTag: false,
    }));
  const renamed = seen.filter(({ id, name }) => usage.has(id) && usage.get(id)?.name !== name);
  if (renamed.length > 0) await renameChannels(account.id, renamed);
  return {
    id: server.id,
    name: seenNow.name,
    guildId: server.guildId,
    iconUrl: guildIconUrl(server.guildId, seenNow.icon),
    installedAt: server.installedAt.toISOString(),
    checkedAt: isoUnlessEpoch(seenNow.channelsCheckedAt),
    problem,
    publicWays: lastSeenPublicWays(seenNow),
    channels: [...visible, ...vanished],
    roles: lastSeenRoles(seenNow),
  };
}

/**
 * Like `findServer`, read from Discord now. Throws `not_connected`, and `upstream_failed` if Discord does not answer.
 */
export async function rereadServer(account: Account): Promise<Server | null> {
  const server = await requireServer(db(), { accountId: account.id });
  await limitOutsideCalls(account.id);
  await invalidateReading(account.id);
  await refreshServer(server).catch((error) => {
    if (!(error instanceof DiscordError)) throw error;
    // For a permanent refusal, the answer itself shows that the bot is gone.
    if (error.isTransient)
      throw new AppError('upstream_failed', 'Discord does not answer. Try again in a minute.');
  });
  return findServer(account);
}

async function currentChannels(server: DiscordServer) {
  if (isRecent(server.channelsCheckedAt, FRESH_MS)) return lastSeenChannels(server);
  try {
    await limitOutsideCalls(server.accountId);
    return await refreshServer(server);
  } catch (error) {
    log.warn({ err: error, serverId: server.id }, 'channels not refreshed');
    return lastSeenChannels(server);
  }
}

async function countRulesByChannel(accountId: string) {
  const groups = await db().rule.groupBy({
    by: ['channelId'],
    // Rules to people have no channel.
    where: { accountId, channelId: { not: '' } },
    _count: true,
    _max: { channelName: true },
  });
  return new Map(
    groups.map((g) => [g.channelId, { name: g._max.channelName ?? g.channelId, rules: g._count }]),
  );
}
