import { Prisma, runStatement } from '@/lib/db/database';
import type { MessageKind } from '@/lib/db/generated/client';
import type { RowOf, RowShape } from '@/lib/db/row-shape';
import { type DatabaseTime, databaseTimeSince } from '@/lib/queue/database-clock';
import { SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';
import type { BillingState } from '../billing/quota';
import { type Slot, sharedSlots } from '../calls/send-slots';
import type { CurrentCard } from '../posted/current-card';
import { AHEAD_MS, type CLAIMED_ROW, claimSql, LEASE_SECONDS } from './claim-sql';

/** A message that waits, in a turn of its channel. */
export interface WaitingMessage {
  id: string;
  at: Date;
  /** Null once its source is gone. */
  sourceId: string | null;
  kind: MessageKind;
  /** Discord's id of the message to change; null except for an edit, and for what stands there without its card. */
  discordMessageId: string | null;
  sealedBody: Uint8Array;
  attempts: number;
  /** Since when it has been postponed; null when it never was. */
  postponedAt: Date | null;
  /** Since when Discord may have been asked to post it. */
  triedAt: Date | null;
  usagePeriodStart: Date | null;
  /** Since when it may have been posted unknown to a restored database; null when that is impossible. */
  forgottenSince: Date | null;
  /** Whether it is not sent, because its rule is off. */
  isPaused: boolean;
  /** The page whose living card it is about; null for everything else. */
  pageId: string | null;
  /** The decision that an edit of a living card reports, perhaps together with a line; null for none. */
  decisionId: string | null;
  /** That card as it stood when the message was claimed. */
  card: CurrentCard | null;
}

/** A message and its slot, which may be used from `startAt` on, on this process's own clock. */
export interface GrantedMessage {
  message: WaitingMessage;
  slot: Slot;
  startAt: number;
}

/** A leased channel: for a while only one worker sends its messages. */
export interface ChannelTurn {
  channelId: string;
  version: number;
  /** On the database's clock. */
  claimedAt: Date;
  databaseTime: DatabaseTime;
  /** When the lease ends. Another time in the channel's row means that the lease was lost. */
  leasedUntil: Date;
  /** At least how much of the lease is left, by this process's own clock. */
  leaseLeft: TimeLeft;
  /** The account of these messages. */
  account: BillingState;
  /** Whether Discord has refused this channel. */
  isRefused: boolean;
  /** Whether Discord has answered calls of this channel with 429, and taken none since. */
  wasLimited: boolean;
  /** Whether it has to wait only because Discord limits follow-ups now, so that a new post need not wait. */
  awaitsPost: boolean;
  /** From when on the channel may be sent to, on this process's own clock. */
  startAt: number;
  /** The account with which the claim's rotation ended; null when all that was due could be claimed. */
  rotatedTo: string | null;
  /** In order, with a slot for each; empty while the channel has to wait, or when no message waits. */
  messages: GrantedMessage[];
}

type ClaimedRow = RowOf<typeof CLAIMED_ROW>;

/** Whether a channel is still this worker's, as the condition of a statement. */
export const holdsTurnSql = ({ channelId, leasedUntil }: Pick<ChannelTurn, 'channelId' | 'leasedUntil'>) =>
  Prisma.sql`exists (
    select 1 from channel_turn where channel_id = ${channelId}::text and leased_until = ${leasedUntil}::timestamptz)`;

/** Ends this process's leases, except those of the given channels. */
export async function releaseChannels(leasedBy: number | null, but: string[]): Promise<void> {
  await runStatement(Prisma.sql`
    update channel_turn set leased_until = '-infinity', leased_by = null
    where leased_by = ${leasedBy}::int and channel_id <> all(${but}::text[])`);
}

/**
 * Claims the turns of channels that are due, as many as there are free slots and at most `limit`. Each channel's first
 * message comes before any channel's second, and each account's first channel before any account's second; with too few
 * slots for all accounts, those after `rotatedTo` come first. Includes channels and slots that will be due and free
 * within `AHEAD_MS`. Claims nothing while Discord blocks the whole bot.
 */
export async function claimChannels(
  leasedBy: number | null,
  limit: number,
  rotatedTo: string | null = null,
): Promise<ChannelTurn[]> {
  // The lease begins no earlier than this, however long the answer takes.
  const leaseLeft = timeLeft(LEASE_SECONDS * SECOND_MS);
  const rows = await runStatement<ClaimedRow>(
    claimSql({ leasedBy, rotatedTo, limit, shared: sharedSlots() }),
  );
  const answeredAt = performance.now();
  const turns = new Map<string, ChannelTurn>();
  for (const row of rows) {
    const askedAt = answeredAt - row.elapsedMs;
    const turn = turns.get(row.channelId) ?? toTurn(row, askedAt, leaseLeft);
    turns.set(row.channelId, turn);
    if (row.slotId === null) continue;
    const slot = { id: row.slotId, leasedUntil: row.slotLeasedUntil };
    turn.messages.push({ message: toMessage(row), slot, startAt: askedAt + row.slotWaitMs });
  }
  return [...turns.values()];
}

function toTurn(row: ClaimedRow, askedAt: number, leaseLeft: TimeLeft): ChannelTurn {
  const { channelId, version, claimedAt, leasedUntil, isRefused, wasLimited, awaitsPost, rotatedTo } = row;
  const { id, status, trialEndsAt, paidPeriodStart, paidPeriodEnd, accountCreatedAt: createdAt } = row;
  const account = { id, status, trialEndsAt, createdAt, paidPeriodStart, paidPeriodEnd };
  const databaseTime = databaseTimeSince(claimedAt, askedAt);
  const startAt = askedAt + row.waitMs;
  const claim = { channelId, version, claimedAt, leasedUntil, leaseLeft };
  const state = { isRefused, wasLimited, awaitsPost, rotatedTo };
  return { ...claim, databaseTime, ...state, account, startAt, messages: [] };
}

function toMessage({ messageId: id, ...row }: ClaimedRow): WaitingMessage {
  const { at, sourceId, kind, discordMessageId, sealedBody, attempts, postponedAt, triedAt } = row;
  const { usagePeriodStart, forgottenSince, isPaused, pageId, decisionId } = row;
  return {
    id,
    at,
    sourceId,
    kind,
    discordMessageId,
    sealedBody,
    attempts,
    postponedAt,
    triedAt,
    usagePeriodStart,
    forgottenSince,
    isPaused,
    pageId,
    decisionId,
    card: row.card as CurrentCard | null,
  };
}

/**
 * In how many milliseconds the next channel can be served, as far as known, and whether only Discord's limit delays it.
 */
export const NEXT_CHANNEL_ROW = { ms: 'float8', isShort: 'bool' } as const satisfies RowShape;

export const nextChannelSql = Prisma.sql`
  select extract(epoch from greatest(now(), due - ahead, free - ahead, blocked) - now())::float8 * 1000 as ms,
    due - ahead <= now() and greatest(free - ahead, blocked) > now() as "isShort"
  from (select greatest(due_at, leased_until) as due from channel_turn
    order by greatest(due_at, leased_until) limit 1) first,
  (select (select min(free_at) from send_slot) as free,
    (select blocked_until from rate_limit where key = 'discord') as blocked,
    ${AHEAD_MS} * interval '1 millisecond' as ahead) limits`;

/** The next channel; null when nothing waits. */
export async function nextChannelInMs(): Promise<RowOf<typeof NEXT_CHANNEL_ROW> | null> {
  const [next] = await runStatement<RowOf<typeof NEXT_CHANNEL_ROW>>(nextChannelSql);
  return next ?? null;
}
