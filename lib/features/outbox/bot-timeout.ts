import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { BOT_TIMED_OUT } from '../calls/discord-refusal';
import { usedChannelsSql } from '../connections/queries';
import { delayChannelsSql, endDelaySql } from '../messages/change-waiting';

/** Discord's wording: the bot may not send messages. */
const MISSING_PERMISSIONS = 50013;

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
      select 'discord:' || channel_id, ${until}::timestamptz, 403, ${MISSING_PERMISSIONS}::int from own
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
    ), woken as (
      update channel_turn t set due_at = now(), version = version + 1 from own
      where t.channel_id = ${lookedUp('own.channel_id')}
    )
    select pg_notify('pagewire_turns', 'channel_turn')`);
}

/** Records the reason with cards that were queued for a channel during a timeout. */
export async function explainTimeout(channelId: string, accountId: string): Promise<void> {
  const until = await findTimeout(accountId);
  if (!until) return;
  await runStatement(
    delayChannelsSql(Prisma.sql`select ${channelId}::text as channel_id`, { reason: BOT_TIMED_OUT, until }),
  );
}

/** Until when the bot was last seen to be timed out in an account's server; null when it is not now. */
export async function findTimeout(accountId: string): Promise<Date | null> {
  const [server] = await runStatement<{ until: Date }>(Prisma.sql`
    select bot_timed_out_until as until from discord_server
    where account_id = ${accountId}::uuid and bot_timed_out_until > now()`);
  return server?.until ?? null;
}
