import { db } from '@/lib/db/database';
import { reasonText } from '@/lib/features/deliveries/reasons';

/** The outcome of an event under a rule, with the message that it led to. */
export interface DeliveryRow {
  id: string;
  sequence: bigint;
  /** The message's state; without a message, settling or skipped. */
  state: string;
  /** Why it was skipped, as a code, or why the message waits, was held or failed, in words. */
  reason: string | null;
  isEarly: boolean;
  eventId: string | null;
  ruleId: string | null;
  pageId: string | null;
  attempts: number;
  /** Discord's id. */
  messageId: string | null;
  triedAt: Date | null;
  finishedAt: Date | null;
  sealedSummary: Uint8Array | null;
  sealedBody: Uint8Array | null;
}

/** Every decision and every message, in the order of events or of the log. */
export async function listDeliveryRows(order: 'event' | 'sequence' = 'sequence'): Promise<DeliveryRow[]> {
  const rows = await db().$queryRaw<(DeliveryRow & { at: Date })[]>`
    select coalesce(d.id, m.id) as id, coalesce(d.sequence, m.sequence) as sequence, coalesce(d.event_at, m.at) as at,
      case when d.outcome = 'settling' then 'settling'
        when m.id is null or (d.outcome = 'gathered' and m.state = 'waiting' and d.id <> m.id) then 'skipped'
        else m.state::text end as state,
      case when d.outcome = 'settling' then null
        when m.id is null or (d.outcome = 'gathered' and m.state = 'waiting' and d.id <> m.id) then d.outcome::text
        else m.reason end as reason,
      coalesce(d.is_early, false) as "isEarly", d.event_id as "eventId", coalesce(d.rule_id, m.source_id) as "ruleId",
      d.page_id as "pageId", coalesce(m.attempts, 0) as attempts, m.discord_message_id as "messageId",
      m.tried_at as "triedAt", m.finished_at as "finishedAt", d.sealed_summary as "sealedSummary", m.sealed_body as "sealedBody"
    from decision d full join (select * from message where kind = 'post' and state <> 'kept') m on m.id = d.message_id`;
  const key = order === 'event' ? ({ at }: { at: Date }) => at.getTime() : () => 0;
  return rows
    .sort((a, b) => key(a) - key(b) || Number(a.sequence - b.sequence))
    .map((row) => (row.state === 'failed' ? { ...row, reason: reasonText(row) } : row));
}
