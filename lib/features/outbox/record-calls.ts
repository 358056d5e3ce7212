import { runStatement } from '@/lib/db/database';
import type { RowOf } from '@/lib/db/row-shape';
import { inBatches } from '@/lib/queue/in-batches';
import { type CallRecord, type RECORDED_ROW, recordSql } from './record-sql';

const LARGEST_BATCH = 100;

/**
 * Writes what became of messages: sent and counted, slots given back, limits noted, and the turn ended. A turn is
 * over when nothing waits in its channel any more; returns whether something does. A turn whose lease was lost
 * stays as it is.
 */
export const recordCalls = inBatches(async (records: CallRecord[]): Promise<boolean[]> => {
  const rows = await runStatement<RowOf<typeof RECORDED_ROW>>(recordSql(records));
  const going = new Set(rows.map(({ channelId }) => channelId));
  return records.map(({ ended: turn }) => turn !== null && going.has(turn.channelId));
}, LARGEST_BATCH);
