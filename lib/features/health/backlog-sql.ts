import { Prisma } from '@/lib/db/database';
import type { RowShape } from '@/lib/db/row-shape';
import { dueJobsSql } from '@/lib/queue/private-tables';
import { IS_WORKING } from '@/lib/queue/worker-lock';

/** The row of `backlogSql`; an age is null when nothing waits. */
export const BACKLOG_ROW = {
  oldestPageSeconds: 'float8?',
  oldestMessageSeconds: 'float8?',
  oldestJobSeconds: 'float8?',
  dueJobs: 'int4',
  workers: 'int4',
  invalidAnswers: 'int4',
} as const satisfies RowShape;

// The turns that are due first include what has waited longest, unless that is put off repeatedly along with many
// others.
const LOOKED_AT = 200;

/**
 * Measures what waits, at a cost that does not depend on how much waits:
 *
 * 1. takes the turns of pages that are due first, and finds the oldest event of each by index;
 * 2. takes the turns of channels that are due first, and finds the first message of each by index;
 * 3. counts the jobs that are due (`jobs`), the workers that are alive, and Discord's recent invalid answers.
 */
export const backlogSql = Prisma.sql`
  select (
    select extract(epoch from now() - min(e.received_at))::float8
    from (select workspace_id, page_id from page_turn order by greatest(due_at, leased_until) limit ${LOOKED_AT}::int) t
    cross join lateral (
      select min(received_at) as received_at from notion_event
      where workspace_id = t.workspace_id and page_id = t.page_id and processed_at is null) e
  ) as "oldestPageSeconds", (
    select extract(epoch from now() - min(m.created_at))::float8
    from (select channel_id from channel_turn order by greatest(due_at, leased_until) limit ${LOOKED_AT}::int) t
    cross join lateral (
      select created_at from message where target_id = t.channel_id and state = 'waiting' order by sequence limit 1) m
  ) as "oldestMessageSeconds", jobs.*, (
    select count(*)::int from worker_process where ${IS_WORKING}
  ) as workers, (
    select coalesce(sum(count), 0)::int from invalid_answer where minute > now() - interval '10 minutes'
  ) as "invalidAnswers"
  from (${dueJobsSql}) jobs`;
