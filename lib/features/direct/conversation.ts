import { databasePool, db, Prisma, transaction } from '@/lib/db/database';
import { openConversation } from '@/lib/integrations/discord/discord-direct';
import { DiscordError } from '@/lib/integrations/discord/discord-request';
import { type DatabaseTime, databaseTimeSince } from '@/lib/queue/database-clock';
import { MINUTE_MS, SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import { opensTooFast } from '../calls/discord-refusal';

/** A leased conversation: for a while only one worker writes to this person. */
export interface Conversation {
  id: string;
  accountId: string;
  discordUserId: string;
  /** Discord's id of the channel; null until it is opened. */
  channelId: string | null;
  openAt: Date | null;
  leasedUntil: Date;
  /** When this worker leased it. */
  claimedAt: Date;
  leaseLeft: TimeLeft;
  databaseTime: DatabaseTime;
}

// Longer than it takes to open a channel, search it and send, when Discord answers slowly.
const LEASE_SECONDS = 60;

// Bots were quarantined after 25 to 40 new conversations in a short time.
const OPENED_AT_ONCE = 10;
const OPENED_EVERY_SECONDS = 15;
const TOO_FAST_WAIT_MS = 10 * MINUTE_MS;

// Stored times are rounded to milliseconds, so a time that has come may seem to be this far ahead.
const ROUNDED_MS = 2;

const ALLOWANCE = 'discord:conversations';
const EVERY = Prisma.sql`interval '1 second' * ${OPENED_EVERY_SECONDS}::int`;

/** A condition of a statement: whether this worker still has the conversation. */
export const holdsSql = ({ id, leasedUntil }: Conversation): Prisma.Sql => Prisma.sql`exists (
  select 1 from conversation where id = ${id}::uuid and leased_until = ${leasedUntil}::timestamptz)`;

/** Leases a conversation; `busyForMs` while another worker has it. Null when it is gone. */
export async function leaseConversation(id: string): Promise<Conversation | { busyForMs: number } | null> {
  // The lease begins no earlier than this, however long the answer takes.
  const leaseLeft = timeLeft(LEASE_SECONDS * SECOND_MS);
  const askedAt = performance.now();
  const lease = Prisma.sql`now() + ${LEASE_SECONDS} * interval '1 second'`;
  // A lease that ends later than a new one would is void: the database's clock was set back.
  const isFree = Prisma.sql`coalesce(leased_until not between now() and ${lease}, true)`;
  const [row] = await db().$queryRaw<
    (Omit<Conversation, 'leaseLeft' | 'databaseTime' | 'claimedAt'> & { now: Date })[]
  >`
    update conversation set leased_until = ${lease} where id = ${id}::uuid and ${isFree}
    returning id, account_id as "accountId", discord_user_id as "discordUserId", channel_id as "channelId",
      open_at as "openAt", leased_until as "leasedUntil", now()`;
  if (row) {
    const { now, ...conversation } = row;
    return { ...conversation, claimedAt: now, leaseLeft, databaseTime: databaseTimeSince(now, askedAt) };
  }
  const [busy] = await db().$queryRaw<{ ms: number }[]>`
    select extract(epoch from leased_until - now())::float8 * 1000 as ms from conversation where id = ${id}::uuid`;
  return busy ? { busyForMs: Math.max(0, busy.ms ?? 0) } : null;
}

/** Releases a conversation, unless another worker has it already. */
export async function releaseConversation({ id, leasedUntil }: Conversation): Promise<void> {
  await db().conversation.updateMany({ where: { id, leasedUntil }, data: { leasedUntil: null } });
}

/**
 * The channel of a conversation, opened in Discord the first time; or in how many milliseconds to ask again. All
 * processes together open ten at once and then one every 15 seconds, accounts taking turns. Throws DiscordError and
 * CallTooLate.
 */
export async function findChannel(conversation: Conversation): Promise<string | { waitMs: number }> {
  const { id, accountId, discordUserId, leaseLeft, databaseTime } = conversation;
  if (conversation.channelId) return conversation.channelId;
  const openAt = conversation.openAt ?? (await bookOpening(conversation));
  if (!openAt) return { waitMs: 0 };
  const waitMs = openAt.getTime() - databaseTime().getTime();
  if (waitMs > ROUNDED_MS) return { waitMs };
  try {
    const channelId = await openConversation(accountId, discordUserId, leaseLeft);
    await db().conversation.updateMany({ where: { id }, data: { channelId, openAt: null } });
    return channelId;
  } catch (error) {
    if (!(error instanceof DiscordError)) throw error;
    if (opensTooFast(error)) return { waitMs: await slowDown(id) };
    if (!error.isTransient) await db().conversation.updateMany({ where: { id }, data: { openAt: null } });
    throw error;
  }
}

// Each booked opening moves `blocked_until` 15 seconds on; an opening waits until that is at most ten openings ahead.
const bookSlotSql = (id: string) => Prisma.sql`
  with own as (select from conversation where id = ${id}::uuid for no key update)
  insert into rate_limit as r (key, blocked_until) select ${ALLOWANCE}, now() + ${EVERY} from own
  on conflict (key) do update set blocked_until = greatest(r.blocked_until, now()) + ${EVERY}
  returning greatest(now(), blocked_until - ${EVERY} * ${OPENED_AT_ONCE}::int) as slot`;

/**
 * Books an opening; null when the conversation is gone. It is queued behind the account's last opening and one opening
 * of each other account; whatever is behind it moves back by one slot. No opening ever moves forward, so no sleeping
 * job has to be woken.
 */
async function bookOpening({ id, accountId }: Conversation): Promise<Date | null> {
  return transaction(async (tx) => {
    const [booked] = await tx.$queryRaw<{ slot: Date }[]>(bookSlotSql(id));
    if (!booked) return null;
    const slot = Prisma.sql`${booked.slot}::timestamptz`;
    // Skips what others hold, such as the deletion of an account, which would wait for rows of this transaction.
    const [placed] = await tx.$queryRaw<{ openAt: Date }[]>`
      with line as materialized (
        select id, account_id, open_at from conversation where open_at > now() and channel_id is null
        for no key update skip locked
      ), behind as (
        select open_at, row_number() over (partition by account_id order by open_at) as turn from line
        where open_at > coalesce(
          (select max(open_at) from line where account_id = ${accountId}::uuid), '-infinity')
      ), place as (
        select coalesce(min(open_at), ${slot}) as at from behind where turn = 2
      ), moved as (
        update conversation c set open_at = next.at
        from (select id, lead(open_at, 1, ${slot}) over (order by open_at) as at
          from line where open_at >= (select at from place)) next
        where c.id = next.id
      )
      update conversation set open_at = (select at from place) where id = ${id}::uuid
      returning open_at as "openAt"`;
    return placed?.openAt ?? null;
  });
}

/**
 * Delays this opening by ten minutes and the rest of the queue until after it. Simultaneous refusals delay the queue
 * only once, plus one opening each. Returns the delay in milliseconds. Locks in the order of `bookOpening`.
 */
async function slowDown(id: string): Promise<number> {
  const until = Prisma.sql`now() + ${TOO_FAST_WAIT_MS} * interval '1 millisecond'`;
  const allowed = Prisma.sql`${EVERY} * ${OPENED_AT_ONCE}::int`;
  await transaction(async (tx) => {
    await tx.$executeRaw`update conversation set open_at = ${until} where id = ${id}::uuid`;
    await tx.$executeRaw`
      update rate_limit set blocked_until = greatest(blocked_until, ${until} + ${allowed}) where key = ${ALLOWANCE}`;
    await tx.$executeRaw`
      with line as materialized (
        select id, open_at from conversation where open_at > now() and channel_id is null and id <> ${id}::uuid
        for no key update skip locked
      ), delay as (
        select greatest(${until} + ${EVERY} - min(open_at), interval '0') as by from line
      ), moved as (
        update conversation c set open_at = line.open_at + delay.by from line, delay where c.id = line.id
        returning c.open_at
      )
      update rate_limit set blocked_until = greatest(blocked_until, (select max(open_at) from moved) + ${allowed})
      where key = ${ALLOWANCE}`;
  });
  return TOO_FAST_WAIT_MS;
}

/** Forgets the channel of a conversation, because Discord no longer knows it. */
export async function forgetChannel({ id }: Conversation): Promise<void> {
  await db().conversation.updateMany({ where: { id }, data: { channelId: null } });
}

/** Deletes conversations that were not used for 30 days. The page "Privacy" says the same. */
export async function forgetConversations(): Promise<void> {
  await databasePool().query(`
    delete from conversation c where used_at < now() - interval '30 days' and not exists (
      select 1 from message m where m.target_id = c.id::text and m.state = 'waiting')`);
}
