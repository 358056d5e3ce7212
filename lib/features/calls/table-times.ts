import { tableTimes } from '@/lib/queue/table-times';

export const CALL_TIMES = [
  tableTimes('send_slot', { moves: ['free_at'] }),
  tableTimes('rate_limit', { moves: ['blocked_until'] }),
  tableTimes('invalid_answer', { stays: ['minute'] }),
];
