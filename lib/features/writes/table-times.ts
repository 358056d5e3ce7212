import { tableTimes } from '@/lib/queue/table-times';

export const WRITE_TIMES = [tableTimes('page_write', { stays: ['at', 'written_at'] })];
