import { tableTimes } from '@/lib/queue/table-times';

export const SNAPSHOT_TIMES = [tableTimes('page_snapshot', { stays: ['updated_at'] })];
