import { z } from 'zod';
import { db, Prisma, transaction } from '@/lib/db/database';
import { defineJob, noPayload } from '@/lib/queue/define-job';
import { enqueueSql } from '@/lib/queue/enqueue';

// More than the workers can look at in a minute; the next runs take the rest.
const MAX_AT_ONCE = 10_000;

export const startDueClocksJob = defineJob({ name: 'start-due-clocks', payload: noPayload, key: [] });

/** Fires the due rules of a database. One job at a time for each workspace, because they share its limits. */
export const runClocksJob = defineJob({
  name: 'run-clocks',
  payload: z.object({ accountId: z.uuid(), workspaceId: z.uuid(), databaseId: z.string() }),
  key: ['workspaceId', 'databaseId'],
  queue: ({ workspaceId }) => `run-clocks:${workspaceId}`,
});

/** The databases with due rules, longest due first. */
export const dueDatabasesSql = Prisma.sql`
  select account_id as "accountId", workspace_id as "workspaceId", database_id as "databaseId"
  from (select * from rule_clock where due_at <= now() order by due_at limit ${MAX_AT_ONCE}) due
  group by 1, 2, 3 order by min(due_at)`;

/** Enqueues a job for each database with due rules. Rules that are not due cost nothing here. */
export async function startDueClocks(): Promise<void> {
  const due =
    await db().$queryRaw<{ accountId: string; workspaceId: string; databaseId: string }[]>(dueDatabasesSql);
  const items = due.map((payload) => ({ accountId: payload.accountId, payload }));
  if (items.length > 0) await transaction((tx) => tx.$executeRaw(enqueueSql(runClocksJob, items)));
}
