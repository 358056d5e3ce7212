import { tableTimes } from '@/lib/queue/table-times';

export const POSTED_TIMES = [
  tableTimes('living_card', { stays: ['at', 'edit_at', 'thread_problem_at', 'last_event_at'] }),
];
