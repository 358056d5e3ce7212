import { Prisma } from '@/lib/db/database';
import { hasRun, lookedUp, lookedUpFrom } from '@/lib/db/planner-hints';
import type { RowShape } from '@/lib/db/row-shape';
import { blockCallsSql, type CallBlock } from '../calls/call-limits';
import { type FreedSlot, freeSlotsSql } from '../calls/send-slots';
import type { ChannelTurn } from './claim-channels';
import { CONFIRMED_COUNT, type ConfirmedMessage, confirmSentSql } from './confirm-sql';

/** The results of the calls to Discord in a channel's turn. */
export interface CallRecord {
  sent: ConfirmedMessage[];
  slots: FreedSlot[];
  blocks: CallBlock[];
  /** The turn, if these are its last results. */
  ended: Pick<ChannelTurn, 'channelId' | 'version' | 'leasedUntil' | 'awaitsPost'> | null;
  /** From when on the channel may continue, on this process's own clock. */
  resumeAt: number;
}

/**
 * A row of `recordSql`: a channel whose turn ended while messages wait; in the one without a channel, how many were
 * confirmed.
 */
export const RECORDED_ROW = { channelId: 'text?', confirmed: 'int4?' } as const satisfies RowShape;

/**
 * Records the results of calls to Discord, in one statement:
 *
 * 1. confirms and counts what was sent (`confirmSentSql`), gives slots back (`freed`) and stores limits (`blocked`);
 * 2. then locks the turns that end, as whatever changes an account's messages does last, if their leases still hold, and
 *    finds out whether messages wait in their channels (`held`);
 * 3. deletes the turns without messages (`over`), and releases and returns the others (`going`), and how many messages
 *    were confirmed.
 *
 * `patience` is always true and sets the lock timeout (`lockPatience`).
 */
export function recordSql(records: CallRecord[], patience: Prisma.Sql): Prisma.Sql {
  const now = performance.now();
  const ended = records.flatMap(({ ended: turn, resumeAt }) => (turn ? [{ turn, resumeAt }] : []));
  // A message that arrives meanwhile raises the version, which is read under the row's lock.
  return Prisma.sql`
    with ${confirmSentSql(
      records.flatMap(({ sent }) => sent),
      patience,
    )}, freed as (
      ${freeSlotsSql(records.flatMap(({ slots }) => slots))}
    ), blocked as (
      ${blockCallsSql(records.flatMap(({ blocks }) => blocks))} returning key
    ), ended as (
      select * from unnest(${ended.map(({ turn }) => turn.channelId)}::text[],
        ${ended.map(({ turn }) => turn.leasedUntil)}::timestamptz[],
        ${ended.map(({ turn }) => turn.version)}::int[],
        ${ended.map(({ turn }) => turn.awaitsPost)}::bool[],
        ${ended.map(({ resumeAt }) => resumeAt - now)}::float8[])
        as e (channel_id, lease, version, awaits_post, resume_in_ms)
    ), held as (
      select t.channel_id, e.awaits_post and t.version = e.version as awaits_post,
        case when e.awaits_post and t.version <> e.version then 0 else e.resume_in_ms end as resume_in_ms,
        t.version <> e.version or exists (
          select 1 from message m where m.target_id = t.channel_id and m.state = 'waiting'
            and m.id not in (select id from sent)) as goes_on
      from ended e join channel_turn t on t.channel_id = ${lookedUp('e.channel_id')} and t.leased_until = e.lease
      where (select ${patience}) and ${CONFIRMED_COUNT} >= 0 and ${hasRun('blocked')}
      order by t.channel_id for update of t
    ), over as (
      delete from channel_turn where channel_id = ${lookedUpFrom(Prisma.sql`select channel_id from held where not goes_on`)}
    ), going as (
      update channel_turn t set leased_until = '-infinity', leased_by = null,
        awaits_post = held.awaits_post, due_at = now() + (greatest(0, resume_in_ms) + 1) * interval '1 millisecond'
      from held where t.channel_id = ${lookedUp('held.channel_id')} and goes_on returning t.channel_id
    )
    select channel_id as "channelId", null::int as confirmed from going
    union all select null, ${CONFIRMED_COUNT}`;
}
