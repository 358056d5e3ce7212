import { Prisma, runStatement } from '@/lib/db/database';
import { inBatches } from '@/lib/queue/in-batches';
import { blockCallsSql, type CallBlock } from '../calls/call-limits';
import { type FreedSlot, freeSlotsSql } from '../calls/send-slots';
import type { ChannelTurn } from './claim-channels';
import { type ConfirmedMessage, confirmSentSql } from './confirm-sent';

/** What calls of Discord in the turn of a channel came to. */
export interface Settlement {
  sent: ConfirmedMessage[];
  slots: FreedSlot[];
  blocks: CallBlock[];
  /** The turn, when it ends with this. */
  ended: Pick<ChannelTurn, 'channelId' | 'version' | 'leasedUntil'> | null;
  /** From when on the channel may go on, on this process's own clock. */
  resumeAt: number;
}

const LARGEST_BATCH = 100;

/**
 * Writes what became of messages: sent and counted, slots given back, limits noted, and the turn ended. A turn is
 * over when nothing waits in its channel any more; returns whether something does. A turn whose lease was lost
 * stays as it is.
 */
export const settleCalls = inBatches(async (settlements: Settlement[]): Promise<boolean[]> => {
  const now = performance.now();
  const ended = settlements.flatMap(({ ended: turn, resumeAt }) => (turn ? [{ turn, resumeAt }] : []));
  // A message that arrives meanwhile raises the version, which is read under the row's lock.
  const rows = await runStatement<{ channelId: string }>(Prisma.sql`
    with ${confirmSentSql(settlements.flatMap(({ sent }) => sent))}, freed as (
      ${freeSlotsSql(settlements.flatMap(({ slots }) => slots))}
    ), blocked as (
      ${blockCallsSql(settlements.flatMap(({ blocks }) => blocks))}
    ), ended as (
      select * from unnest(${ended.map(({ turn }) => turn.channelId)}::text[],
        ${ended.map(({ turn }) => turn.leasedUntil)}::timestamptz[],
        ${ended.map(({ turn }) => turn.version)}::int[],
        ${ended.map(({ resumeAt }) => resumeAt - now)}::float8[]) as e (channel_id, lease, version, resume_in_ms)
    ), held as (
      select t.channel_id, e.resume_in_ms, t.version <> e.version or exists (
          select 1 from message m where m.target_id = t.channel_id and m.state = 'waiting'
            and m.id not in (select id from sent)) as goes_on
      from ended e join channel_turn t on t.channel_id = any(array[e.channel_id]) and t.leased_until = e.lease
      order by t.channel_id for update of t
    ), over as (
      delete from channel_turn where channel_id = any(array(select channel_id from held where not goes_on))
    ), going as (
      update channel_turn t set leased_until = '-infinity', leased_by = null,
        due_at = now() + (greatest(0, resume_in_ms) + 1) * interval '1 millisecond'
      from held where t.channel_id = any(array[held.channel_id]) and goes_on returning t.channel_id
    )
    select channel_id as "channelId" from going
    union all select null from (select from warned) jobs having count(*) < 0`);
  const going = new Set(rows.map(({ channelId }) => channelId));
  return settlements.map(({ ended: turn }) => turn !== null && going.has(turn.channelId));
}, LARGEST_BATCH);
