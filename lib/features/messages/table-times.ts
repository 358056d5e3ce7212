import { tableTimes } from '@/lib/queue/table-times';

export const MESSAGE_TIMES = [
  tableTimes('message', {
    moves: ['not_before', 'tried_at', 'postponed_at'],
    stays: ['at', 'created_at', 'usage_period_start', 'finished_at'],
    where: `state = 'waiting'`,
  }),
];
