import { runStatement } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { log } from '@/lib/log';
import { metrics } from '@/lib/metrics';
import { inFairBatches } from '@/lib/queue/in-fair-batches';
import { type CallRecord, type RECORDED_ROW, recordSql } from './record-sql';

const LARGEST_BATCH = 100;

/**
 * Records the results of a channel's calls: counts what was sent, gives slots back, stores limits, and ends the turn.
 * A turn is deleted when no message waits in its channel any more; returns whether one still waits. A turn whose lease
 * was lost is not ended.
 */
export const recordCalls = inFairBatches(
  async (records: CallRecord[], patience): Promise<boolean[]> => {
    const rows = await runStatement<RowOf<typeof RECORDED_ROW>>(recordSql(records, patience));
    const sent = records.flatMap((record) => record.sent);
    const confirmed = rows.find(({ channelId }) => channelId === null)?.confirmed ?? 0;
    if (confirmed > 0) metrics.deliveries.inc({ state: 'sent', reason: '' }, confirmed);
    if (sent.length > 0 && log.isLevelEnabled('debug')) {
      log.debug({ deliveryIds: sent.map(({ id }) => id) }, 'messages sent');
    }
    const going = new Set(rows.map(({ channelId }) => channelId));
    return records.map(({ ended: turn }) => turn !== null && going.has(turn.channelId));
  },
  LARGEST_BATCH,
  ownerOf,
);

/** The account, or the channel while no message of it was sent. */
function ownerOf({ sent, ended }: CallRecord): string {
  return sent[0]?.accountId ?? ended?.channelId ?? '';
}
