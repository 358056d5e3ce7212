import { inChunks, listPartitions } from '@/lib/db/partitions';

/** How long the bodies of unsent messages are kept. The page "Privacy" states the same. */
const BODIES_KEPT = '30 days';

const CHUNK = 1000;

/**
 * Deletes the bodies of messages that were held or failed a month ago. Skips messages that are being sent, or sent
 * again at this moment. Sorted like an index that holds only such messages, so that no table is scanned.
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
