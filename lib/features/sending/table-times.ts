import { tableTimes } from '@/lib/queue/table-times';

export const SENDING_TIMES = [tableTimes('channel_problem', { stays: ['since', 'began_at', 'told_at'] })];
