import { Prisma } from '@/lib/db/database';

/**
 * Adds decisions, each once for a rule and an event. `rows` selects id, event_at, account_id, rule_id, event_id,
 * page_id, outcome, message_id, sealed_summary and the `given` columns.
 */
export const createDecisionsSql = (rows: Prisma.Sql, given: ('sequence' | 'is_early')[] = []) => Prisma.sql`
  insert into decision (id, event_at, account_id, rule_id, event_id, page_id, outcome, message_id, sealed_summary${Prisma.raw(
    given.map((column) => `, ${column}`).join(''),
  )})
  ${rows}
  on conflict (rule_id, event_id, event_at) do nothing`;

/** A decision with the message that tells it. */
interface Made {
  id: string;
  eventAt: Date;
  accountId: string;
  ruleId: string;
  eventId: string;
  pageId: string;
  outcome: string;
  messageId: string | null;
  sealedSummary: Uint8Array | null;
}

/** Adds one decision, unless its rule was deleted meanwhile. */
export const createDecisionSql = ({ id, eventAt, accountId, ruleId, eventId, pageId, ...made }: Made) =>
  createDecisionsSql(Prisma.sql`
    select ${id}::uuid, ${eventAt}::timestamptz, ${accountId}::uuid, r.id, ${eventId}, ${pageId},
      ${made.outcome}::decision_outcome, ${made.messageId}::uuid, ${made.sealedSummary}
    from rule r where r.id = ${ruleId}::uuid`);
