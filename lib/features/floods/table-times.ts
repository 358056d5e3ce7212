import { tableTimes } from '@/lib/queue/table-times';

export const FLOOD_TIMES = [
  // Otherwise a flood would last as long as the clock was set back, and so would the ten cards before it count.
  tableTimes('posting_pace', { moves: ['last_at'], movesEach: ['recent'] }),
  tableTimes('flood', { stays: ['began_at', 'message_at', 'edit_at'] }),
];
