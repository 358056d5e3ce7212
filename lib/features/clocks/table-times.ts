import { tableTimes } from '@/lib/queue/table-times';

// A rule is due at a time of the calendar, so if the clock is set back it fires later.
export const CLOCK_TIMES = [
  tableTimes('rule_clock', { stays: ['due_at', 'nominal_at'] }),
  tableTimes('reminder', { stays: ['created_at'] }),
  tableTimes('summary_list', { stays: ['created_at'] }),
];
