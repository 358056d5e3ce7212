import { tableTimes } from '@/lib/queue/table-times';

export const TASK_TIMES = [
  tableTimes('chat_interaction', {
    stays: ['received_at', 'finished_at', 'create_started_at', 'create_ends_at'],
  }),
];
