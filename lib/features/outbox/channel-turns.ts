import { Prisma, runStatement } from '@/lib/db/database';
import { type DatabaseTime, databaseTimeSince } from '@/lib/queue/database-clock';
import { SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import type { AccountStanding } from '../billing/quota';
import { SHARED_SLOTS, type Slot } from './send-slots';

/** A card that waits, in a turn of its channel. */
export interface WaitingCard {
  id: string;
  eventAt: Date;
  /** Null once its rule was deleted. */
  ruleId: string | null;
  sealedMessage: Uint8Array;
  attempts: number;
  createdAt: Date;
  /** Since when Discord may have been asked to post it. */
  triedAt: Date | null;
  usagePeriodStart: Date | null;
}

/** A card and the slot for it, which is free from `startAt` on, on this process's own clock. */
export interface GrantedCard {
  card: WaitingCard;
  slot: Slot;
  startAt: number;
}

/** A channel of which one worker sends cards for a while. */
export interface ChannelTurn {
  channelId: string;
  version: number;
  /** On the database's clock. */
  claimedAt: Date;
  databaseTime: DatabaseTime;
  /** Until when the channel is ours, and what proves that it still is. */
  leasedUntil: Date;
  /** What is left of that at least, as this process's own clocks say. */
  leaseLeft: TimeLeft;
  /** Whose cards these are. */
  account: AccountStanding;
  /** Whether Discord has refused this channel. */
  isRefused: boolean;
  /** From when on the channel may be sent to, on this process's own clock. */
  startAt: number;
  /** In their order, with a slot for each; none while the channel has to wait, or when nothing waits in it. */
  cards: GrantedCard[];
}

// Long enough for a turn's last call to run into its timeout; a dead worker's leases are freed sooner.
const LEASE_SECONDS = 30;
const SLOT_LEASE_SECONDS = 20;

/** Cards of one channel in one turn, as long as no other channel needs their slots. */
const CARDS_PER_TURN = 25;

// Turns and slots are taken so much before their time, to have the cards at hand when it comes.
const AHEAD_MS = 50;

// Of these, the longest waiting, accounts take turns.
const WINDOW = 256;

interface ClaimedRow extends AccountStanding {
  channelId: string;
  version: number;
  claimedAt: Date;
  leasedUntil: Date;
  isRefused: boolean;
  elapsedMs: number;
  waitMs: number;
  slotId: number | null;
  slotWaitMs: number;
  slotLeasedUntil: Date;
  cardId: string;
  eventAt: Date;
  ruleId: string | null;
  sealedMessage: Uint8Array;
  attempts: number;
  createdAt: Date;
  triedAt: Date | null;
  usagePeriodStart: Date | null;
  accountCreatedAt: Date;
}

/** Ends this process's leases, but for those of the given channels. */
export async function letGoOfChannels(leasedBy: number | null, but: string[]): Promise<void> {
  await runStatement(Prisma.sql`
    update channel_turn set leased_until = '-infinity', leased_by = null
    where leased_by = ${leasedBy}::int and channel_id <> all(${but}::text[])`);
}

/**
 * Takes the turns of channels that are due, as many as there are free slots and no more than `limit`. Each
 * channel's first card comes before any channel's second, and each account's first channel before any
 * account's second. What is free or due in a moment is taken too. Nothing is while Discord has the whole bot wait.
 */
export async function claimChannels(leasedBy: number | null, limit: number): Promise<ChannelTurn[]> {
  // The lease begins no sooner than this, however long the answer is under way.
  const leaseLeft = timeLeft(LEASE_SECONDS * SECOND_MS);
  // Leases that a crash of the database loses were of use to nobody; the disk is not waited for.
  const rows = await runStatement<ClaimedRow>(Prisma.sql`
    with soon as (
      select now() + ${AHEAD_MS} * interval '1 millisecond' as at, set_config('synchronous_commit', 'off', true) as commit
    ), room as (
      select count(*) as places from (
        select 1 from send_slot where free_at <= (select at from soon) and (select commit from soon) = 'off'
          and not exists (select 1 from rate_limit where key = 'discord' and blocked_until > now())
        limit ${limit}::int) free
    ), due as (
      select channel_id, account_id, greatest(due_at, leased_until) as since from channel_turn
      where greatest(due_at, leased_until) <= (select at from soon)
      order by greatest(due_at, leased_until) limit ${WINDOW}
    ), fair as materialized (
      select channel_id, row_number() over (order by lap, since, channel_id) as rank from (
        select *, row_number() over (partition by account_id order by since, channel_id) as lap from due) laps
    ), turn as (
      select t.* from (select channel_id from fair order by rank limit (select places from room)) f cross join lateral (
        select channel_id, account_id, due_at from channel_turn
        where channel_id = f.channel_id and greatest(due_at, leased_until) <= (select at from soon)
        limit 1 for update skip locked
      ) t
    ), card as (
      select c.*, turn.channel_id, fair.rank, row_number() over (partition by turn.channel_id order by c.sequence) as line
      from turn join fair using (channel_id) cross join lateral (
        select d.id, d.event_at, d.account_id, d.sequence, d.rule_id, d.sealed_message, d.attempts, d.created_at, d.tried_at,
          d.next_try_at, d.usage_period_start
        from delivery d where d.channel_id = turn.channel_id and d.state = 'waiting'
        order by d.sequence limit (
          select least(${CARDS_PER_TURN}, ceil(places::float8 / (select count(*) from turn))) from room)) c
    ), start as (
      select turn.channel_id, coalesce(card.account_id, turn.account_id) as account_id, greatest(now(), turn.due_at, card.next_try_at, (
        select blocked_until from rate_limit where key = 'discord:' || turn.channel_id)) as at
      from turn left join card on card.channel_id = turn.channel_id and card.line = 1
    ), queue as (
      select card.*, row_number() over (order by line, rank) as n from card
      where (channel_id, account_id) in (
        select channel_id, account_id from start where at <= (select at from soon))
    ), free as (
      select id, free_at from send_slot where free_at <= (select at from soon)
      order by id <= ${SHARED_SLOTS}, free_at limit (select count(*) from queue) for update skip locked
    ), taken as (
      update send_slot s set free_at = now() + ${SLOT_LEASE_SECONDS} * interval '1 second' from free
      where s.id = any(array[free.id]) returning s.id, s.free_at, free.free_at as was_free_at
    ), slot as (
      select *, row_number() over (order by was_free_at) as n from taken
    ), given as (
      select queue.*, slot.id as slot_id, slot.free_at, slot.was_free_at from queue join slot using (n)
    ), leased as (
      update channel_turn t
      set leased_until = now() + ${LEASE_SECONDS} * interval '1 second', leased_by = ${leasedBy}::int
      from turn where t.channel_id = any(array[turn.channel_id])
        and (turn.channel_id in (select channel_id from given) or turn.channel_id not in (select channel_id from queue))
      returning t.channel_id, t.version, t.leased_until
    )
    select leased.channel_id as "channelId", leased.version, now() as "claimedAt",
      leased.leased_until as "leasedUntil",
      p.channel_id is not null as "isRefused",
      extract(epoch from clock_timestamp() - now())::float8 * 1000 as "elapsedMs",
      extract(epoch from start.at - now())::float8 * 1000 as "waitMs",
      extract(epoch from greatest(now(), given.was_free_at) - now())::float8 * 1000 as "slotWaitMs",
      a.id, a.status, a.trial_ends_at as "trialEndsAt", a.created_at as "accountCreatedAt",
      a.paid_period_start as "paidPeriodStart", a.paid_period_end as "paidPeriodEnd",
      given.slot_id as "slotId", given.free_at as "slotLeasedUntil", given.id as "cardId",
      given.event_at as "eventAt", given.rule_id as "ruleId", given.sealed_message as "sealedMessage",
      given.attempts, given.created_at as "createdAt", given.tried_at as "triedAt",
      given.usage_period_start as "usagePeriodStart"
    from leased join start on start.channel_id = leased.channel_id
    join account a on a.id = start.account_id
    left join channel_problem p on p.channel_id = leased.channel_id
    left join given on given.channel_id = leased.channel_id
    order by given.n`);
  const answeredAt = performance.now();
  const turns = new Map<string, ChannelTurn>();
  for (const row of rows) {
    const askedAt = answeredAt - row.elapsedMs;
    const turn = turns.get(row.channelId) ?? toTurn(row, askedAt, leaseLeft);
    turns.set(row.channelId, turn);
    if (row.slotId === null) continue;
    const slot = { id: row.slotId, leasedUntil: row.slotLeasedUntil };
    turn.cards.push({ card: toCard(row), slot, startAt: askedAt + row.slotWaitMs });
  }
  return [...turns.values()];
}

function toTurn(row: ClaimedRow, askedAt: number, leaseLeft: TimeLeft): ChannelTurn {
  const { channelId, version, claimedAt, leasedUntil, isRefused } = row;
  const { id, status, trialEndsAt, paidPeriodStart, paidPeriodEnd, accountCreatedAt: createdAt } = row;
  const account = { id, status, trialEndsAt, createdAt, paidPeriodStart, paidPeriodEnd };
  const databaseTime = databaseTimeSince(claimedAt, askedAt);
  const startAt = askedAt + row.waitMs;
  const lease = { leasedUntil, leaseLeft };
  return { channelId, version, claimedAt, databaseTime, ...lease, isRefused, account, startAt, cards: [] };
}

function toCard(row: ClaimedRow): WaitingCard {
  const { cardId: id, eventAt, ruleId, sealedMessage, attempts, createdAt, triedAt, usagePeriodStart } = row;
  return { id, eventAt, ruleId, sealedMessage, attempts, createdAt, triedAt, usagePeriodStart };
}

/**
 * In how many milliseconds the next channel can be served, as far as known, and whether only Discord's limit
 * keeps it; null when nothing waits.
 */
export async function nextChannelInMs(): Promise<{ ms: number; isShort: boolean } | null> {
  const [next] = await runStatement<{ ms: number; isShort: boolean }>(Prisma.sql`
    select extract(epoch from greatest(now(), due - ahead, free - ahead, blocked) - now())::float8 * 1000 as ms,
      due - ahead <= now() and greatest(free - ahead, blocked) > now() as "isShort"
    from (select greatest(due_at, leased_until) as due from channel_turn
      order by greatest(due_at, leased_until) limit 1) first,
    (select (select min(free_at) from send_slot) as free,
      (select blocked_until from rate_limit where key = 'discord') as blocked,
      ${AHEAD_MS} * interval '1 millisecond' as ahead) limits`);
  return next ?? null;
}
