import { tableTimes } from '@/lib/queue/table-times';

export const LETTER_TIMES = [
  tableTimes('letter', { stays: ['event_at', 'message_at', 'tell_at', 'created_at'] }),
];
