import { tableTimes } from '@/lib/queue/table-times';

export const DIRECT_TIMES = [
  tableTimes('conversation', { moves: ['open_at'], stays: ['leased_until', 'used_at'] }),
];
