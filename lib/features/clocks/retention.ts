import { inChunks } from '@/lib/db/partitions';
import { EDITED } from './due-pages';

const CHUNK = 5000;

/**
 * Deletes reminders that no run can repeat, because their day is over or their page was edited since, and the lists of
 * old summaries. The page "Privacy" states the same.
 */
export async function forgetOldReminders(): Promise<void> {
  const old = `created_at < now() - interval '31 days'`;
  await inChunks(
    CHUNK,
    `delete from reminder where ctid = any(array(
       select ctid from reminder r where ${old} and (mark not like '${EDITED}%' or exists (
         select 1 from reminder n where n.rule_id = r.rule_id and n.page_id = r.page_id and n.mark > r.mark))
       limit ${CHUNK} for update skip locked))`,
    [],
  );
  await inChunks(
    CHUNK,
    `delete from summary_list where ctid = any(array(select ctid from summary_list where ${old} limit ${CHUNK} for update skip locked))`,
    [],
  );
}
