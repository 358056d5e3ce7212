import { tableTimes } from '@/lib/queue/table-times';

// A rule is due when the calendar says so: if the clock is set back, that is later.
export const CLOCK_TIMES = [
  tableTimes('rule_clock', { stays: ['due_at', 'nominal_at'] }),
  tableTimes('reminder', { stays: ['created_at'] }),
  tableTimes('summary_list', { stays: ['created_at'] }),
];
