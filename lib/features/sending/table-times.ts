import { tableTimes } from '@/lib/queue/table-times';

// A channel that seems to have been checked in the future is checked again.
export const SENDING_TIMES = [tableTimes('channel_problem', { stays: ['since', 'began_at', 'told_at'] })];
