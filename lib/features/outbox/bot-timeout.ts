import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';
import { usedChannelsSql } from '../connections/queries';
import { delayChannelsSql, endDelaySql } from '../messages/change-waiting';

const channelsOf = (serverId: string) => Prisma.sql`
  select channel_id from (${usedChannelsSql(serverId)}) used
  union select t.channel_id from channel_turn t join discord_server s on s.account_id = t.account_id
    where s.id = ${serverId}::uuid`;

const OWN = Prisma.sql`select channel_id from own`;

/** Delays the cards of a server until the bot's timeout there ends, and records that as their reason. */
export async function waitOutTimeout(serverId: string, until: Date): Promise<void> {
  await runStatement(Prisma.sql`
    with own as (${channelsOf(serverId)}), blocked as (
      insert into rate_limit (key, blocked_until, status, code)
      select 'discord:' || channel_id, ${until}::timestamptz, 403, ${RESTJSONErrorCodes.MissingPermissions}::int from own
      on conflict (key) do update set status = excluded.status, code = excluded.code,
        blocked_until = greatest(rate_limit.blocked_until, excluded.blocked_until)
    )
    ${delayChannelsSql(OWN, { reason: BOT_TIMED_OUT, until })}`);
}

/** Releases the cards of a server, because the bot's timeout there was lifted. */
export async function endTimeout(serverId: string, until: Date): Promise<void> {
  await runStatement(Prisma.sql`
    with own as (${channelsOf(serverId)}), unblocked as (
      delete from rate_limit where status = 403 and key in (select 'discord:' || channel_id from own)
    ), going as (
      ${endDelaySql(OWN, until)}
    )
    select wake_channels(array_agg(t.channel_id), array_agg(t.account_id), at_once => true)::text from own
    join channel_turn t on t.channel_id = ${lookedUp('own.channel_id')}
    having count(*) > 0`);
}

/** Records the bot's timeout as the reason why the waiting cards of a channel wait. */
export async function explainTimeout(channelId: string, accountId: string): Promise<void> {
  const until = await findTimeout(accountId);
  if (!until) return;
  await runStatement(
    delayChannelsSql(Prisma.sql`select ${channelId}::text as channel_id`, { reason: BOT_TIMED_OUT, until }),
  );
}

/** When the bot's timeout in an account's server ends, as last seen; null when it is not timed out now. */
export async function findTimeout(accountId: string): Promise<Date | null> {
  const [server] = await runStatement<{ until: Date }>(Prisma.sql`
    select bot_timed_out_until as until from discord_server
    where account_id = ${accountId}::uuid and bot_timed_out_until > now()`);
  return server?.until ?? null;
}
