import { Prisma, runStatement } from '@/lib/db/database';
import { lookedUp } from '@/lib/db/planner-hints';
import { blockCallsSql, connectionLimit } from '../calls/call-limits';

/**
 * Delays every page of a connection for as long as Notion refuses its calls. Returns until when, on the database's
 * clock.
 */
export async function blockConnection(workspaceId: string, forMs: number): Promise<Date> {
  const block = { key: connectionLimit(workspaceId), until: performance.now() + forMs };
  const [blocked] = await runStatement<{ until: Date }>(Prisma.sql`
    with blocked as (
      ${blockCallsSql([block])} returning blocked_until
    ), waiting as (
      select workspace_id, page_id from page_turn, blocked
      where workspace_id = ${workspaceId}::uuid and due_at < blocked_until and leased_until < now()
      for update of page_turn skip locked
    ), moved as (
      update page_turn t set due_at = blocked_until from waiting w, blocked
      where t.workspace_id = ${lookedUp('w.workspace_id')} and t.page_id = ${lookedUp('w.page_id')}
    )
    select blocked_until as until from blocked`);
  return (blocked as { until: Date }).until;
}
