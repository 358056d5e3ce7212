import { db } from '@/lib/db/database';
import type { SeenChannel } from '../servers/channels';
import { usedChannelsSql } from '../servers/queries';
import { readGuild, type ServerToRead } from '../servers/read-guild';
import { isForumKind } from '../servers/schema';
import { endTimeouts, findTimeout, waitOutTimeout } from './bot-timeout';

const readings = new Map<string, Promise<SeenChannel[]>>();

/**
 * The channels of a server, at most ten seconds old. Clears the problem of every channel to which the bot has access
 * again. Throws DiscordError when Discord refuses or does not answer.
 */
export async function refreshServer(server: ServerToRead): Promise<SeenChannel[]> {
  const channels = await readServerAndTimeouts(server);
  const reachable = channels.filter((channel) => !channel.accessProblem);
  const forums = reachable.filter(({ kind }) => isForumKind(kind)).map(({ id }) => id);
  // A channel stays refused if no rule expects its type (a forum, or not), and for a while if it refused cards
  // although its permissions looked right.
  await db().$executeRaw`
    delete from channel_problem p where channel_id = any(${reachable.map(({ id }) => id)}::text[]) and not exists (
      select 1 from rate_limit where key = 'discord:refused:' || channel_id and blocked_until > now())
      and coalesce((
        select bool_or(is_forum = (p.channel_id = any(${forums}::text[])))
        from (${usedChannelsSql(server.id)}) used where channel_id = p.channel_id), true)`;
  return channels;
}

/** Like `refreshServer`, without clearing problems; also applies the bot's timeout to waiting cards. */
export function readServerAndTimeouts(server: ServerToRead): Promise<SeenChannel[]> {
  const underWay = readings.get(server.id);
  if (underWay) return underWay;
  const reading = read(server).finally(() => readings.delete(server.id));
  readings.set(server.id, reading);
  return reading;
}

async function read(server: ServerToRead): Promise<SeenChannel[]> {
  const { channels, timedOutUntil: until } = await readGuild(server);
  await endTimeouts(
    server.id,
    channels.map(({ id }) => id),
  );
  if (until && until > new Date()) await waitOutTimeout(server.id, until);
  return channels;
}

/**
 * When the bot's timeout in an account's server ends, read again; null when it ended before `since`, or when the bot is
 * not timed out. Throws DiscordError when Discord refuses or does not answer, unless a timeout is known.
 */
export async function seeTimeout(accountId: string, since: Date): Promise<Date | null> {
  const server = await db().discordServer.findFirst({ where: { accountId } });
  if (!server) return null;
  const unread = await readServerAndTimeouts(server).then(
    () => null,
    (err) => err,
  );
  const until = await findTimeout(accountId, since);
  if (unread && !until) throw unread;
  return until;
}
