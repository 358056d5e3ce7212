import { setTimeout as sleep } from 'node:timers/promises';
import { db, Prisma, runStatement } from '@/lib/db/database';
import type { DiscordServer } from '@/lib/db/generated/client';
import { type GuildView, getGuildView, getThread, isBotGone } from '@/lib/integrations/discord/discord-guild';
import { timedOutUntil } from '@/lib/integrations/discord/permissions';
import { type SeenChannel, seenChannelsSchema, toSeenChannels, type UsedThreads } from './channels';
import { toPublicWays } from './public-ways';
import { toSeenRoles } from './roles';

export const BOT_GONE = 'The bot is no longer in this server. Connect the server again.';

/** How long all processes reuse a reading from Discord. */
const FRESH = Prisma.sql`interval '10 seconds'`;

// Longer than a reading takes, including its wait for a slot. If a process dies while reading, others may read after
// this time.
const READING = Prisma.sql`interval '30 seconds'`;

// Truncated, because the column rounds to milliseconds: a time that is rounded up would be in the future.
const NOW = Prisma.sql`date_trunc('milliseconds', now())`;

const LOOK_AGAIN_MS = 200;

// How often one caller reads because its reading was invalidated; the last reading counts whatever happens meanwhile.
const MAX_READINGS = 3;

export type ServerToRead = Pick<DiscordServer, 'id' | 'accountId' | 'guildId'>;

export interface ServerReading {
  channels: SeenChannel[];
  /**
   * Until when the bot is timed out, which may be in the past; null when it is not, or when this reading reused values.
   */
  timedOutUntil: Date | null;
}

/** The channels as they were last seen. */
export function lastSeenChannels(server: Pick<DiscordServer, 'channels'>): SeenChannel[] {
  return seenChannelsSchema.parse(server.channels);
}

/**
 * Invalidates the last reading of an account's server, and one under way, because Discord has just refused what it
 * allowed, or somebody may have changed the server since.
 */
export async function invalidateReading(accountId: string): Promise<void> {
  const data = { channelsCheckedAt: new Date(0), readingSince: null };
  await db().discordServer.updateMany({ where: { accountId }, data });
}

/**
 * The channels of a server, at most ten seconds old, and what this reading found out about a timeout of the bot. Throws
 * DiscordError when Discord refuses or does not answer.
 */
export async function readGuild(server: ServerToRead): Promise<ServerReading> {
  let readings = 0;
  for (;;) {
    const [known] = await runStatement<{
      channels: unknown;
      isFresh: boolean;
      since: Date | null;
    }>(Prisma.sql`
      with known as (
        select channels, problem is null and channels_checked_at between now() - ${FRESH} and now() as is_fresh
        from discord_server where id = ${server.id}::uuid
      ), claimed as (
        update discord_server set reading_since = ${NOW} from known
        where id = ${server.id}::uuid and not is_fresh
          and coalesce(reading_since not between now() - ${READING} and now(), true)
        returning reading_since
      )
      select channels, is_fresh as "isFresh", (select reading_since from claimed) as since from known`);
    if (!known) return { channels: [], timedOutUntil: null };
    if (known.isFresh) return { channels: seenChannelsSchema.parse(known.channels), timedOutUntil: null };
    if (!known.since) await sleep(LOOK_AGAIN_MS);
    else {
      readings += 1;
      const reading = await readNow(server, known.since, readings === MAX_READINGS);
      if (reading) return reading;
    }
  }
}

/**
 * Reads a server and stores what it read. Null, with nothing stored, if the reading was invalidated meanwhile, unless it
 * `counts` all the same.
 */
async function readNow(
  { id, accountId, guildId }: ServerToRead,
  since: Date,
  counts: boolean,
): Promise<ServerReading | null> {
  try {
    const view = await getGuildView(accountId, guildId);
    const used = await findUsedThreads(id, accountId, view);
    return await keep({ id, since: counts ? null : since }, view, used);
  } catch (error) {
    const data = { readingSince: null, ...(isBotGone(error) && { problem: BOT_GONE }) };
    await db().discordServer.updateMany({ where: { id, readingSince: since }, data });
    throw error;
  }
}

/** The threads that rules use, including inactive ones. Takes few calls, because a plan has few rules. */
async function findUsedThreads(id: string, accountId: string, view: GuildView): Promise<UsedThreads> {
  const [server, rules] = await Promise.all([
    db().discordServer.findFirst({ where: { id } }),
    db().rule.findMany({ where: { serverId: id }, select: { channelId: true }, distinct: ['channelId'] }),
  ]);
  const last = server ? lastSeenChannels(server) : [];
  const threads = last.filter(
    (seen) => seen.kind === 'thread' && rules.some(({ channelId }) => channelId === seen.id),
  );
  const found = await Promise.all(
    threads.map(async (seen) => {
      const active = view.threads.find((thread) => thread.id === seen.id);
      return [seen.id, { last: seen, now: active ?? (await getThread(accountId, seen.id)) }] as const;
    }),
  );
  return new Map(found);
}

async function keep(
  { id, since }: { id: string; since: Date | null },
  view: GuildView,
  used: UsedThreads,
): Promise<ServerReading | null> {
  const channels = toSeenChannels(view, used);
  const roles = toSeenRoles(view);
  const until = timedOutUntil(view);
  const kept = await runStatement(Prisma.sql`
    update discord_server set name = ${view.guild.name}, icon = ${view.guild.icon ?? null}, channels = ${JSON.stringify(channels)}::jsonb,
      roles = ${JSON.stringify(roles)}::jsonb,
      public_ways = ${toPublicWays(view.guild)}::text[],
      channels_checked_at = ${NOW}, reading_since = null, problem = null, removal_told_at = null,
      bot_timed_out_until = ${until}::timestamptz
    where id = ${id}::uuid and coalesce(reading_since = ${since}::timestamptz, ${since}::timestamptz is null)
    returning 1`);
  // A server that was disconnected meanwhile has no row any more; its caller finds that out.
  const isInvalid = kept.length === 0 && (await db().discordServer.count({ where: { id } })) > 0;
  return isInvalid ? null : { channels, timedOutUntil: until };
}
