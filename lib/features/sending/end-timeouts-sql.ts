import { Prisma } from '@/lib/db/database';
import { hasRun, lookedUp, lookedUpFrom } from '@/lib/db/planner-hints';
import { BOT_TIMED_OUT, FORBIDDEN } from '../calls/discord-refusal';
import { endDelaySql } from '../messages/change-waiting';
import { usedChannelsSql } from '../servers/queries';

/** The status of a channel's limit while the bot is timed out; no other refusal is remembered with it under that key. */
export const TIMEOUT_STATUS = FORBIDDEN;

// A turn that is woken too early finds its limit and waits again.
const LONGEST_OTHER_WAIT = Prisma.sql`interval '10 minutes'`;

/**
 * Releases what a timeout of the bot has delayed in a server for longer than it lasts as last seen, in one statement:
 *
 * 1. lists the turns in which messages may wait (`waiting`), and all channels that may be delayed, whether a rule still
 *    uses them or not (`own`);
 * 2. ends the delays of the messages (`going`) and then of their channels (`unblocked`), in the order in which the results
 *    of calls lock both;
 * 3. makes the turns of those channels due at once, because these wait for the old end too, and the turns that were
 *    under way and set out to wait for it afterwards.
 */
export const endTimeoutsSql = (serverId: string, seen: string[]): Prisma.Sql => Prisma.sql`
    with server as (
      select account_id, greatest(now(), bot_timed_out_until) as until from discord_server where id = ${serverId}::uuid
    ), waiting as (
      select channel_id, due_at from channel_turn where account_id = (select account_id from server)
    ), own as (
      select unnest(${seen}::text[]) as channel_id
      union select channel_id from (${usedChannelsSql(serverId)}) used
      union select channel_id from waiting
    ), going as (
      ${endDelaySql(Prisma.sql`select channel_id from waiting`, {
        reason: BOT_TIMED_OUT,
        until: Prisma.sql`(select until from server)`,
      })} returning m.target_id
    ), unblocked as (
      delete from rate_limit
      where key = ${lookedUpFrom(Prisma.sql`select 'discord:' || channel_id from own`)} and status = ${TIMEOUT_STATUS}
        and blocked_until > (select until from server) and ${hasRun('going')}
      returning substr(key, length('discord:') + 1) as channel_id
    )
    select wake_channels(array_agg(t.channel_id), array_agg(t.account_id), at_once => true)::text
    from (select channel_id from unblocked union select target_id from going
      union select channel_id from waiting where due_at > (select until from server) + ${LONGEST_OTHER_WAIT}) freed
    join channel_turn t on t.channel_id = ${lookedUp('freed.channel_id')}
    having count(*) > 0`;
