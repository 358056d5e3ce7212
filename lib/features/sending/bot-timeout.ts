import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { Prisma, runStatement } from '@/lib/db/database';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';
import { delayChannelsSql } from '../messages/change-waiting';
import { usedChannelsSql } from '../servers/queries';
import { endTimeoutsSql, TIMEOUT_STATUS } from './end-timeouts-sql';

/**
 * Delays the cards of a server until the bot's timeout there ends, and records that as their reason. Does nothing if
 * the server was read again meanwhile and the timeout ends at another time, or not at all.
 */
export async function waitOutTimeout(serverId: string, until: Date): Promise<void> {
  await runStatement(Prisma.sql`
    with server as materialized (
      ${timedOutSql(Prisma.sql`id = ${serverId}::uuid`, until)}
    ), own as (
      select channel_id from (${usedChannelsSql(serverId)}) used where exists (select 1 from server)
      union select channel_id from channel_turn where account_id = (select account_id from server)
    ), blocked as (
      insert into rate_limit (key, blocked_until, status, code)
      select 'discord:' || channel_id, ${until}::timestamptz, ${TIMEOUT_STATUS}, ${RESTJSONErrorCodes.MissingPermissions}::int from own
      order by 1
      on conflict (key) do update set status = excluded.status, code = excluded.code, blocked_until = excluded.blocked_until
        where rate_limit.blocked_until < excluded.blocked_until
    )
    ${delayChannelsSql(Prisma.sql`select channel_id from own`, { reason: BOT_TIMED_OUT, until })}`);
}

/** The server that meets a condition if the bot's timeout there ends at this time. Keeps it so until the statement ends. */
const timedOutSql = (which: Prisma.Sql, until: Date) => Prisma.sql`
  select account_id from discord_server where ${which} and bot_timed_out_until = ${until}::timestamptz for share`;

/**
 * Releases the cards of a server that a timeout of the bot has delayed for longer than it lasts as last seen, because
 * it was lifted or shortened. `seen` are the ids of the server's channels. Does not rely on a process that saw the
 * longer timeout: that one may have died, or the server may have been connected anew since.
 */
export async function endTimeouts(serverId: string, seen: string[]): Promise<void> {
  await runStatement(endTimeoutsSql(serverId, seen));
}

/** Records the bot's timeout as the reason why the waiting cards of a channel wait. */
export async function explainTimeout(channelId: string, accountId: string): Promise<void> {
  const until = await findTimeout(accountId);
  if (!until) return;
  const server = timedOutSql(Prisma.sql`account_id = ${accountId}::uuid`, until);
  const channel = Prisma.sql`select ${channelId}::text as channel_id from (${server}) server`;
  await runStatement(delayChannelsSql(channel, { reason: BOT_TIMED_OUT, until }));
}

/**
 * When the bot's timeout in an account's server ends, as last seen; null when it ended before `since`, or when the bot
 * is not timed out.
 */
export async function findTimeout(accountId: string, since: Date | null = null): Promise<Date | null> {
  const [server] = await runStatement<{ until: Date }>(Prisma.sql`
    select bot_timed_out_until as until from discord_server
    where account_id = ${accountId}::uuid and bot_timed_out_until > coalesce(${since}::timestamptz, now())`);
  return server?.until ?? null;
}
