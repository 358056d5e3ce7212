import { Prisma } from '@/lib/db/database';
import { COMMITS_ASYNCHRONOUSLY, lookedUp, notByIndex } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import { isPausedSql } from '../messages/is-paused';
import { currentCardSql } from '../posted/current-card';

// Long enough for a turn's last call to run into its timeout; the leases of a dead worker are freed sooner.
export const LEASE_SECONDS = 30;
const SLOT_LEASE_SECONDS = 20;

/** Turns and slots are claimed this early, so that the messages are ready when their time comes. */
export const AHEAD_MS = 50;

// Messages of one channel in one turn, if no other channel needs the slots.
const MESSAGES_PER_TURN = 25;

// The most accounts among which a claim looks for due channels when more are due than it can serve.
const ACCOUNTS_AT_ONCE = 64;

// Since when a channel has been due. Both indexes on it name it like this.
const SINCE = Prisma.raw('greatest(due_at, leased_until)');

const limitSql = (key: Prisma.Sql) => Prisma.sql`(
        select blocked_until, refusals from rate_limit where key = ${key} limit 1)`;

/** A row of `claimSql`: a channel and one of its messages; no message for a channel that has to wait. */
export const CLAIMED_ROW = {
  channelId: 'text',
  version: 'int4',
  claimedAt: 'timestamptz',
  leasedUntil: 'timestamptz',
  isRefused: 'bool',
  wasLimited: 'bool',
  awaitsPost: 'bool',
  elapsedMs: 'float8',
  waitMs: 'float8',
  slotWaitMs: 'float8',
  id: 'uuid',
  status: 'text',
  trialEndsAt: 'timestamptz',
  accountCreatedAt: 'timestamptz',
  paidPeriodStart: 'timestamptz?',
  paidPeriodEnd: 'timestamptz?',
  slotId: 'int4?',
  slotLeasedUntil: 'timestamptz',
  messageId: 'uuid',
  at: 'timestamptz',
  sourceId: 'uuid?',
  kind: 'message_kind',
  discordMessageId: 'text?',
  sealedBody: 'bytea',
  attempts: 'int4',
  postponedAt: 'timestamptz?',
  triedAt: 'timestamptz?',
  usagePeriodStart: 'timestamptz?',
  forgottenSince: 'timestamptz?',
  isPaused: 'bool',
  pageId: 'text?',
  decisionId: 'uuid?',
  card: 'json?',
  rotatedTo: 'uuid?',
} as const satisfies RowShape;

// Whether a message was decided after the database was restored, but may have been posted before already.
const TELLS_OF_FORGOTTEN = Prisma.sql`given.kind in ('post', 'thread_start', 'reply')
  and given.at <= forgotten_until + interval '1 minute' and given.created_at > forgotten_until`;

const CARD_OF_MESSAGE = { accountId: 'given.account_id', ruleId: 'given.source_id', pageId: 'given.page_id' };

interface Claim {
  leasedBy: number | null;
  /** The account after which the rotation goes on; null at its start. */
  rotatedTo: string | null;
  /** The most channels to claim. */
  limit: number;
  /** How many slots, the first ones, are for other calls while these want them. */
  shared: number;
}

/**
 * Takes turns of channels, with messages and a slot for each:
 *
 * 1. counts the slots that are free soon (`room`): none while Discord blocks the whole bot;
 * 2. reads the channels that have been due the longest, one more than there are slots (`oldest`);
 * 3. if that many are due, continues through the accounts from where the last claim ended, until as many have a due
 *    channel as there are slots (`around`), and adds the oldest of each, so that no account can hide the others (`due`);
 * 4. ranks these channels, each account's first before any account's second (`fair`), and locks the first of them
 *    (`turn`), with the ends of Discord's limits for posts and follow-ups;
 * 5. reads their first messages in order (`waiting`), only posts while follow-ups are limited, and from when on each
 *    channel may be sent to (`start`);
 * 6. lines up the messages that may be sent now, each channel's first before any channel's second (`queue`), and
 *    gives each a slot (`free`, `taken`, `given`);
 * 7. leases the channels that got a slot, and those that have to wait or have nothing to send: the others stay due.
 *
 * A lease lost in a crash protected nobody, so this does not wait for the flush.
 */
export const claimSql = ({ leasedBy, rotatedTo, limit, shared }: Claim): Prisma.Sql => Prisma.sql`
    with recursive soon as (
      select now() + ${AHEAD_MS} * interval '1 millisecond' as at where ${COMMITS_ASYNCHRONOUSLY}
    ), room as (
      select count(*) as slots from (
        select 1 from send_slot where free_at <= (select at from soon)
          and not exists (select 1 from rate_limit where key = 'discord' and blocked_until > now())
        limit ${limit}::int) free
    ), oldest as materialized (
      select channel_id, account_id, ${SINCE} as since from channel_turn
      where ${SINCE} <= (select at from soon) order by ${SINCE} limit (select slots + 1 from room)
    ), around (account_id, first, nr, found) as (
      select coalesce(${rotatedTo}::uuid, '00000000-0000-0000-0000-000000000000'), null::uuid, 0, 0
      where (select count(*) from oldest) > (select slots from room)
      union all
      select n.account_id, coalesce(a.first, n.account_id), nr + 1, found + (since <= (select at from soon))::int
      from around a cross join lateral (
        (select account_id, ${SINCE} as since from channel_turn
        where account_id > a.account_id order by account_id, ${SINCE} limit 1)
        union all
        (select account_id, ${SINCE} from channel_turn order by account_id, ${SINCE} limit 1)
        limit 1
      ) n
      where n.account_id is distinct from a.first and nr < ${ACCOUNTS_AT_ONCE} and found < (select slots from room)
    ), due as (
      select channel_id, account_id, since, min(nr) as nr from (
        select *, null::int as nr from oldest
        union all
        select t.*, a.nr from around a cross join lateral (
          select channel_id, account_id, ${SINCE} as since from channel_turn
          where account_id = a.account_id and ${SINCE} <= (select at from soon) order by ${SINCE}
          limit (select ceil(slots::float8 / greatest((select max(found) from around), 1)) from room)
        ) t where a.nr > 0) found
      group by channel_id, account_id, since
    ), fair as materialized (
      select channel_id, row_number() over (order by lap, nr, since, channel_id) as rank from (
        select *, row_number() over (partition by account_id order by since, channel_id) as lap from due) laps
    ), turn as (
      select t.*, posts.blocked_until as posts_at, follow_ups.blocked_until as follow_ups_at,
        coalesce(greatest(posts.refusals, follow_ups.refusals), 0) > 0 as was_limited
      from (select channel_id from fair order by rank limit (select slots from room)) f cross join lateral (
        select channel_id, account_id, due_at from channel_turn
        where channel_id = f.channel_id and ${notByIndex(Prisma.sql`${SINCE} <= (select at from soon)`)}
        limit 1 for update skip locked
      ) t
      left join lateral ${limitSql(Prisma.sql`'discord:' || t.channel_id`)} posts on true
      left join lateral ${limitSql(Prisma.sql`'discord:follow-up:' || t.channel_id`)} follow_ups on true
    ), waiting as (
      select m.*, turn.channel_id, fair.rank, row_number() over (partition by turn.channel_id order by m.sequence) as line
      from turn join fair using (channel_id) cross join lateral (
        select id, at, account_id, sequence, source_id, kind, discord_message_id, sealed_body, attempts, postponed_at,
          tried_at, not_before, usage_period_start, created_at, page_id, decision_id
        from message where target_id = turn.channel_id and state = 'waiting'
          and (kind = 'post' or coalesce(turn.follow_ups_at <= (select at from soon), true))
        order by sequence limit (
          select least(${MESSAGES_PER_TURN}, ceil(slots::float8 / (select count(*) from turn))) from room)) m
    ), start as (
      select turn.channel_id, coalesce(waiting.account_id, turn.account_id) as account_id,
        greatest(now(), turn.due_at, waiting.not_before, turn.posts_at,
          case when turn.follow_ups_at <= (select at from soon) or waiting.id is null then turn.follow_ups_at end) as at,
        coalesce(turn.follow_ups_at > (select at from soon), false) and waiting.id is null as awaits_post
      from turn left join waiting on waiting.channel_id = turn.channel_id and waiting.line = 1
    ), queue as (
      select waiting.*, row_number() over (order by line, rank) as n from waiting
      where (channel_id, account_id) in (
        select channel_id, account_id from start where at <= (select at from soon))
    ), free as (
      select id, free_at from send_slot where free_at <= (select at from soon)
      order by id <= ${shared}::int, free_at limit (select count(*) from queue) for update skip locked
    ), taken as (
      update send_slot s set free_at = now() + ${SLOT_LEASE_SECONDS} * interval '1 second' from free
      where s.id = ${lookedUp('free.id')} returning s.id, s.free_at, free.free_at as was_free_at
    ), slot as (
      select *, row_number() over (order by was_free_at) as n from taken
    ), given as (
      select queue.*, slot.id as slot_id, slot.free_at, slot.was_free_at from queue join slot using (n)
    ), leased as (
      update channel_turn t
      set leased_until = now() + ${LEASE_SECONDS} * interval '1 second', leased_by = ${leasedBy}::int
      from turn where t.channel_id = ${lookedUp('turn.channel_id')}
        and (turn.channel_id in (select channel_id from given) or turn.channel_id not in (select channel_id from queue))
      returning t.channel_id, t.version, t.leased_until, turn.was_limited
    )
    select leased.channel_id as "channelId", leased.version, now() as "claimedAt",
      leased.leased_until as "leasedUntil",
      p.channel_id is not null as "isRefused", leased.was_limited as "wasLimited",
      start.awaits_post as "awaitsPost",
      extract(epoch from clock_timestamp() - now())::float8 * 1000 as "elapsedMs",
      extract(epoch from start.at - now())::float8 * 1000 as "waitMs",
      extract(epoch from greatest(now(), given.was_free_at) - now())::float8 * 1000 as "slotWaitMs",
      a.id, a.status, a.trial_ends_at as "trialEndsAt", a.created_at as "accountCreatedAt",
      a.paid_period_start as "paidPeriodStart", a.paid_period_end as "paidPeriodEnd",
      given.slot_id as "slotId", given.free_at as "slotLeasedUntil", given.id as "messageId", given.at,
      given.source_id as "sourceId", given.kind, given.discord_message_id as "discordMessageId",
      given.sealed_body as "sealedBody", given.attempts, given.postponed_at as "postponedAt",
      given.tried_at as "triedAt", given.usage_period_start as "usagePeriodStart",
      (select forgotten_since from seen_clock where id = 1 and ${TELLS_OF_FORGOTTEN}) as "forgottenSince",
      coalesce(${isPausedSql('given')}, false) as "isPaused",
      given.page_id as "pageId", given.decision_id as "decisionId",
      case when given.page_id is not null then ${currentCardSql(CARD_OF_MESSAGE)} end as card,
      (select account_id from around order by nr desc limit 1) as "rotatedTo"
    from leased join start on start.channel_id = leased.channel_id
    join account a on a.id = start.account_id
    left join channel_problem p on p.channel_id = leased.channel_id
    left join given on given.channel_id = leased.channel_id
    order by given.n`;
