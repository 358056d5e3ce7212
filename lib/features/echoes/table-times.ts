import { tableTimes } from '@/lib/queue/table-times';

export const ECHO_TIMES = [tableTimes('task_echo', { stays: ['last_event_at', 'reply_at', 'edit_at'] })];
