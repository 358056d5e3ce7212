import type { Transaction } from '@/lib/db/database';
import { defineJob, nothing } from '@/lib/queue/define-job';
import { enqueue } from '@/lib/queue/enqueue';
import { inChunks, listPartitions } from './partitions';

/** How long titles, changes and cards are kept. The page "Security and privacy" says the same. */
const DETAILS_KEPT = '30 days';

const CHUNK = 1000;

export const forgetDetailsJob = defineJob({ name: 'forget-details', payload: nothing, key: [] });

/** Has a job empty what the rules told that the transaction deletes. */
export async function enqueueForgetting(tx: Transaction): Promise<void> {
  await enqueue(tx, forgetDetailsJob, {});
}

/** Empties deliveries of rules that are gone: nobody can look at them any more. They go on counting. */
export async function forgetOrphans(): Promise<void> {
  await empty('rule_id is null', 'account_id', []);
}

/** Empties deliveries of a month ago. Their cards stand in Discord and are edited from the page as it is then. */
export async function forgetOldDetails(): Promise<void> {
  await empty(`event_at < now() - $1::interval and state <> 'skipped'`, 'event_at', [DETAILS_KEPT]);
}

// What is on its way is left alone, and so is what somebody sends again at this moment. The order is that of an index
// which holds nothing else, so that no table is looked through.
async function empty(condition: string, order: string, values: string[]): Promise<void> {
  for (const part of await listPartitions('delivery')) {
    await inChunks(
      CHUNK,
      `update ${part} set sealed_summary = null, sealed_message = null where ctid = any(array(
         select ctid from ${part} where sealed_summary is not null and ${condition}
           and state not in ('waiting', 'settling') order by ${order} limit ${CHUNK} for update skip locked))`,
      values,
    );
  }
}
