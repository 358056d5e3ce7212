import { type Transaction, transaction } from '@/lib/db/database';
import { reconcileJobKey, reconcileLane } from './reconcile';

// More than the lanes work in a minute; after an outage the rest comes with the next calls.
const MOST_AT_ONCE = 2000;

/**
 * Has a pass made over every workspace that is due, and makes it due again a quarter of an hour later, give or
 * take a minute, so that the passes of many workspaces do not come together.
 */
export async function startDuePasses(): Promise<void> {
  await transaction(async (tx) => {
    const due = await tx.$queryRaw<{ id: string; hasRules: boolean }[]>`
      with due as (
        select id from notion_workspace where reconcile_at <= now()
        order by reconcile_at limit ${MOST_AT_ONCE} for no key update skip locked
      )
      update notion_workspace w set reconcile_at = now() + interval '14 minutes' + random() * interval '2 minutes'
      from due where w.id = due.id
      returning w.id, exists (select 1 from rule r where r.workspace_id = w.id) as "hasRules"`;
    await enqueuePasses(
      tx,
      due.flatMap(({ id, hasRules }) => (hasRules ? [id] : [])),
    );
  });
}

/** Has a pass made over one workspace now: it was just connected again. */
export function startPass(tx: Transaction, workspaceId: string): Promise<void> {
  return enqueuePasses(tx, [workspaceId]);
}

async function enqueuePasses(tx: Transaction, workspaceIds: string[]): Promise<void> {
  if (workspaceIds.length === 0) return;
  const keys = workspaceIds.map((workspaceId) => reconcileJobKey({ workspaceId }));
  const lanes = workspaceIds.map((workspaceId) => reconcileLane({ workspaceId }));
  await tx.$executeRaw`
    select graphile_worker.add_job('reconcile-workspace', json_build_object('workspaceId', id),
      queue_name => lane, job_key => key, job_key_mode => 'preserve_run_at')
    from unnest(${workspaceIds}::text[], ${keys}::text[], ${lanes}::text[]) as pass(id, key, lane)`;
}
