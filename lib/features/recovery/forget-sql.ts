import { enqueueText } from '@/lib/queue/enqueue';
import { rereadSubscriptionsJob } from '../billing/sync-subscription';

/**
 * A script that tells a database, restored to an earlier moment, that it has forgotten what happened since, so that
 * nothing is told twice. To be run once, in one transaction, before the product starts:
 *
 * 1. notes from when to when it knows nothing (`seen_clock`): its last note of the time was at most seconds before the
 *    moment to which it was restored while a worker ran, and without a worker nothing was sent. Cards about that time
 *    are compared with their channels before they are sent;
 * 2. has every message that waits looked for in its channel, because it may have been posted since;
 * 3. has Notion searched for tasks that were being created, because they may be there;
 * 4. has every workspace compared with Notion, and every subscription read from Stripe, at once.
 *
 * The columns are added for a backup of a version that had none.
 */
export const FORGET_SQL = `
alter table seen_clock add column if not exists forgotten_since timestamptz(3);
alter table seen_clock add column if not exists forgotten_until timestamptz(3);
insert into seen_clock as c (id, at, forgotten_since, forgotten_until)
values (1, now() - interval '30 days', now() - interval '30 days', now())
on conflict (id) do update set forgotten_until = now(), forgotten_since = least(
  c.at, now(), case when c.forgotten_until > c.at - interval '1 day' then c.forgotten_since end);
update message set tried_at = least(tried_at, (select forgotten_since from seen_clock)) where state = 'waiting';
update chat_interaction set create_started_at = received_at
where finished_at is null and page_id is null and create_started_at is null;
update notion_workspace set reconcile_at = now();
${enqueueText(rereadSubscriptionsJob)};
`;
