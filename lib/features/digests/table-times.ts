import { tableTimes } from '@/lib/queue/table-times';

// A digest is due when the calendar says so: if the clock is set back, that is later.
export const DIGEST_TIMES = [tableTimes('digest', { stays: ['due_at'] })];
