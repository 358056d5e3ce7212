import { tableTimes } from '@/lib/queue/table-times';

export const REMINDER_TIMES = [tableTimes('kept_change', { stays: ['at'] })];
