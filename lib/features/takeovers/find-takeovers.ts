import { db, Prisma, type Transaction } from '@/lib/db/database';
import type { TakeoverState } from '@/lib/db/generated/enums';
import { DAY_MS } from '@/lib/time';

/** How long the holder of a server has to answer. */
export const ANSWER_MS = 7 * DAY_MS;

/**
 * How long a takeover lasts: an unanswered one can be used for this long, and after a refusal nobody may ask again.
 */
export const LAPSE_MS = 30 * DAY_MS;

/** A takeover: the server, who has it now and who wants it. */
export interface Takeover {
  id: string;
  state: TakeoverState;
  since: Date;
  askerId: string;
  askerUserId: string | null;
  /** The Discord name of the person who asks. */
  askerName: string;
  holderId: string;
  holderUserId: string;
  serverId: string;
  serverName: string;
  guildId: string;
}

/**
 * The takeovers that meet a condition, newest first; `t` is the takeover and `s` the server in it. One statement,
 * because the server may move at any moment.
 */
export function findTakeovers(condition: Prisma.Sql, tx: Transaction = db()): Promise<Takeover[]> {
  return tx.$queryRaw<Takeover[]>`
    select t.id, t.state, t.since, t.account_id as "askerId", asker.discord_user_id as "askerUserId",
      t.discord_username as "askerName", s.account_id as "holderId",
      coalesce(holder.discord_user_id, s.installer_discord_user_id) as "holderUserId",
      s.id as "serverId", s.name as "serverName", s.guild_id as "guildId"
    from server_takeover t join discord_server s on s.id = t.server_id
    join account asker on asker.id = t.account_id join account holder on holder.id = s.account_id
    where ${condition} order by t.since desc`;
}

/** The takeover with this id; undefined once it has ended. */
export async function findTakeover(id: string, tx?: Transaction): Promise<Takeover | undefined> {
  const [takeover] = await findTakeovers(Prisma.sql`t.id = ${id}::uuid`, tx);
  return takeover;
}

/**
 * The condition for a takeover that lets its account have the server now: handed over, or unanswered for seven days.
 */
export function dueNow(): Prisma.Sql {
  const now = Date.now();
  return Prisma.sql`(t.state = 'handed_over' or t.state = 'asked'
    and t.since between ${new Date(now - LAPSE_MS)}::timestamptz and ${new Date(now - ANSWER_MS)}::timestamptz)`;
}
