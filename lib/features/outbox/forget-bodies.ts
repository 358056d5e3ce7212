import { inChunks, listPartitions } from '@/lib/db/partitions';

/** How long the bodies of messages are kept that were not sent. The page "Security and privacy" says the same. */
const BODIES_KEPT = '30 days';

const CHUNK = 1000;

/**
 * Empties messages of a month ago that were held or have failed. What is on its way is left alone, and so is what somebody
 * sends again at this moment. The order is that of an index which holds nothing else, so that no table is looked through.
 */
export async function forgetOldBodies(): Promise<void> {
  for (const part of await listPartitions('message')) {
    await inChunks(
      CHUNK,
      `update ${part} set sealed_body = null where ctid = any(array(
         select ctid from ${part} where sealed_body is not null and state in ('held', 'failed')
           and at < now() - $1::interval order by at limit ${CHUNK} for update skip locked))`,
      [BODIES_KEPT],
    );
  }
}
