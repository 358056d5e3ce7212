import { type Transaction, transaction } from '@/lib/db/database';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueue, enqueueSql } from '@/lib/queue/enqueue';
import { reconcileJob } from './reconcile';

// More than the workers manage in a minute; after an outage the next runs take the rest.
const MAX_AT_ONCE = 2000;

export const startDuePassesJob = defineJob({ name: 'start-due-passes', payload: noPayload, key: [] });

/**
 * Enqueues a pass over every workspace that is due, and makes it due again in a quarter of an hour, plus or minus a
 * minute, so that the passes of many workspaces spread out.
 */
export async function startDuePasses(): Promise<void> {
  await transaction(async (tx) => {
    const due = await tx.$queryRaw<{ workspaceId: string; accountId: string; hasRules: boolean }[]>`
      with due as (
        select id from notion_workspace where reconcile_at <= now()
        order by reconcile_at limit ${MAX_AT_ONCE} for no key update skip locked
      )
      update notion_workspace w set reconcile_at = now() + interval '14 minutes' + random() * interval '2 minutes'
      from due where w.id = due.id
      returning w.id as "workspaceId", w.account_id as "accountId",
        exists (select 1 from rule r where r.workspace_id = w.id) as "hasRules"`;
    const passes = due.flatMap(({ workspaceId, accountId, hasRules }) =>
      hasRules ? [{ accountId, payload: { workspaceId } }] : [],
    );
    await tx.$executeRaw(enqueueSql(reconcileJob, passes));
  });
}

/** Enqueues a pass over one workspace that was just connected again. */
export async function startPass(
  tx: Transaction,
  { id: workspaceId, accountId }: { id: string; accountId: string },
): Promise<void> {
  // A pass leaves a page to its waiting event. If Notion refused the page to that event later, look from there again.
  await tx.$executeRaw`
    with refused as (
      select e.database_id, min(e.occurred_at) as at
      from notion_database d join notion_event e on e.database_id = d.id and e.workspace_id = d.workspace_id
        and e.occurred_at between d.checkpoint_at - interval '1 day' and d.checkpoint_at
      where d.workspace_id = ${workspaceId}::uuid and e.outcome = 'notion_refused' and e.processed_at > d.checkpoint_at
      group by e.database_id
    )
    update notion_database d set checkpoint_at = refused.at from refused
    where d.workspace_id = ${workspaceId}::uuid and d.id = refused.database_id`;
  await enqueue(tx, reconcileJob, { workspaceId }, { accountId });
}
