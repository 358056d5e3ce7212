import { tableTimes } from '@/lib/queue/table-times';

// A digest is due at a time of the calendar, so if the clock is set back it is told later.
export const DIGEST_TIMES = [tableTimes('digest', { stays: ['due_at'] })];
