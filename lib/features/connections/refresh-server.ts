import { setTimeout as sleep } from 'node:timers/promises';
import { db, Prisma, runStatement } from '@/lib/db/database';
import type { DiscordServer } from '@/lib/db/generated/client';
import { type GuildView, getGuildView } from '@/lib/integrations/discord/discord-guild';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { timedOutUntil } from '@/lib/integrations/discord/permissions';
import { endTimeout, waitOutTimeout } from '../outbox/bot-timeout';
import { type SeenChannel, seenChannelsSchema, toSeenChannels } from './channels';
import { toPublicWays } from './public-ways';

export const BOT_GONE = 'The bot is no longer in this server. Connect the server again.';

/** For so long, what was read from Discord is used again, by every process. */
const FRESH = Prisma.sql`interval '10 seconds'`;

// Longer than a reading takes, its wait for the bot's calls included; whoever died reading lets others read then.
const READING = Prisma.sql`interval '30 seconds'`;

const LOOK_AGAIN_MS = 200;

type ServerToRead = Pick<DiscordServer, 'id' | 'accountId' | 'guildId'>;

const readings = new Map<string, Promise<SeenChannel[]>>();

/** The channels as they were last seen. */
export function lastSeenChannels(server: DiscordServer): SeenChannel[] {
  return seenChannelsSchema.parse(server.channels);
}

/**
 * The channels of a server as they are now, or were less than ten seconds ago. Clears the problem of every channel where
 * the bot has access again. Throws DiscordError when Discord refuses or does not answer.
 */
export async function refreshServer(server: ServerToRead): Promise<SeenChannel[]> {
  const channels = await readServer(server);
  const reachable = channels.filter((channel) => !channel.accessProblem).map(({ id }) => id);
  // One that refused cards again although its permissions looked right is not believed at once.
  await db().$executeRaw`
    delete from channel_problem where channel_id = any(${reachable}::text[]) and not exists (
      select 1 from rate_limit where key = 'discord:refused:' || channel_id and blocked_until > now())`;
  return channels;
}

/** The same, and leaves the problems of channels as they are. */
export function readServer(server: ServerToRead): Promise<SeenChannel[]> {
  const underWay = readings.get(server.id);
  if (underWay) return underWay;
  const reading = readUnlessFresh(server).finally(() => readings.delete(server.id));
  readings.set(server.id, reading);
  return reading;
}

/** Has the next look at an account's server ask Discord, which has just refused what the last one promised. */
export async function doubtReading(accountId: string): Promise<void> {
  await db().discordServer.updateMany({ where: { accountId }, data: { channelsCheckedAt: new Date(0) } });
}

async function readUnlessFresh(server: ServerToRead): Promise<SeenChannel[]> {
  for (;;) {
    const [known] = await runStatement<{ channels: unknown; isFresh: boolean; isOurs: boolean }>(Prisma.sql`
      with known as (
        select channels, problem is null and channels_checked_at between now() - ${FRESH} and now() as is_fresh
        from discord_server where id = ${server.id}::uuid
      ), claimed as (
        update discord_server set reading_since = now() from known
        where id = ${server.id}::uuid and not is_fresh
          and coalesce(reading_since not between now() - ${READING} and now(), true)
        returning 1
      )
      select channels, is_fresh as "isFresh", exists (select 1 from claimed) as "isOurs" from known`);
    if (!known) return [];
    if (known.isFresh) return seenChannelsSchema.parse(known.channels);
    if (known.isOurs) return readNow(server);
    await sleep(LOOK_AGAIN_MS);
  }
}

async function readNow({ id, accountId, guildId }: ServerToRead): Promise<SeenChannel[]> {
  try {
    return await keep(id, await getGuildView(accountId, guildId));
  } catch (error) {
    const data = { readingSince: null, ...(isBotGone(error) && { problem: BOT_GONE }) };
    await db().discordServer.updateMany({ where: { id }, data });
    throw error;
  }
}

async function keep(id: string, view: GuildView): Promise<SeenChannel[]> {
  const channels = toSeenChannels(view);
  const until = timedOutUntil(view);
  const [before] = await runStatement<{ until: Date | null }>(Prisma.sql`
    update discord_server s set name = ${view.guild.name}, channels = ${JSON.stringify(channels)}::jsonb,
      public_ways = ${toPublicWays(view.guild)}::text[],
      channels_checked_at = now(), reading_since = null, problem = null, bot_timed_out_until = ${until}::timestamptz
    from (select id, bot_timed_out_until from discord_server where id = ${id}::uuid for update) before
    where s.id = any(array[before.id]) returning before.bot_timed_out_until as until`);
  const was = before?.until ?? null;
  if (was && (!until || until < was)) await endTimeout(id, was);
  if (until && until > new Date()) await waitOutTimeout(id, until);
  return channels;
}

/** Whether Discord says that the bot is not in the server: unknown guild, unknown member or missing access. */
function isBotGone(error: unknown): boolean {
  return error instanceof DiscordError && [10004, 10007, 50001].includes(error.code);
}
