import { Prisma } from '@/lib/db/database';
import { enqueueText } from '@/lib/queue/enqueue';
import { rereadSubscriptionsJob } from '../billing/sync-subscription';
import { doubtWaitingSql } from '../messages/change-waiting';

const FORGOTTEN_SINCE = Prisma.sql`(select forgotten_since from seen_clock)`;

/**
 * Records in a database restored to an earlier moment that everything since then is lost, so that nothing is posted
 * twice. Run once, in one transaction, before the product starts:
 *
 * 1. records the forgotten time (`seen_clock`). It begins with the last recorded clock time: a running worker recorded
 *    it at most seconds before the backup, and without a worker nothing was sent. Cards about the forgotten time are
 *    compared with their channels before they are sent;
 * 2. marks every waiting message to be looked for in its channel, because it may have been posted since, and starts the
 *    day anew in which it is tried again;
 * 3. marks tasks that were being created to be looked for in Notion, because they may exist;
 * 4. makes every workspace due for comparison with Notion, and every subscription for a read from Stripe.
 *
 * Adds the columns for a backup of a version that did not have them.
 */
export const MARK_RESTORED_SQL = `
alter table seen_clock add column if not exists forgotten_since timestamptz(3);
alter table seen_clock add column if not exists forgotten_until timestamptz(3);
insert into seen_clock as c (id, at, forgotten_since, forgotten_until)
values (1, now() - interval '30 days', now() - interval '30 days', now())
on conflict (id) do update set forgotten_until = now(), forgotten_since = least(
  c.at, now(), case when c.forgotten_until > c.at - interval '1 day' then c.forgotten_since end);
${doubtWaitingSql(FORGOTTEN_SINCE).text};
update chat_interaction set create_started_at = received_at
where finished_at is null and page_id is null and create_started_at is null;
update notion_workspace set reconcile_at = now();
${enqueueText(rereadSubscriptionsJob)};
`;
