import { tableTimes } from '@/lib/queue/table-times';

export const DECISION_TIMES = [
  // A new page's time to settle counts from the decision, and from when the page was last read for its card.
  tableTimes('decision', {
    moves: ['created_at'],
    stays: ['event_at'],
    where: `(outcome = 'settling' or is_early)`,
  }),
  tableTimes('card', {
    moves: ['page_read_at'],
    stays: ['at'],
    where: '(message_id, at) in (select message_id, event_at from decision where is_early)',
  }),
];
