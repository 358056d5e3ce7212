import { tableTimes } from '@/lib/queue/table-times';

export const OUTBOX_TIMES = [
  tableTimes('channel_turn', { moves: ['due_at'], stays: ['leased_until'] }),
  tableTimes('held_notice', { moves: ['tried_at'], stays: ['posted_at', 'told_at', 'up_to'] }),
];
