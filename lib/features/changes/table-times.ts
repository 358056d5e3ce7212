import { tableTimes } from '@/lib/queue/table-times';

export const CHANGE_TIMES = [
  tableTimes('page_turn', { moves: ['due_at'], stays: ['leased_until'] }),
  tableTimes('notion_event', {
    moves: ['received_at'],
    stays: ['occurred_at', 'processed_at'],
    where: '(workspace_id, page_id) in (select workspace_id, page_id from page_turn)',
  }),
  tableTimes('page_snapshot', { stays: ['updated_at'] }),
  // A new page's time to settle counts from `created_at`, and from `page_read_at` of its early card.
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
  tableTimes('proven_webhook_token', { stays: ['proven_at'] }),
];
