import { tableTimes } from '@/lib/queue/table-times';

export const CHANGE_TIMES = [
  tableTimes('page_turn', { moves: ['due_at'], stays: ['leased_until'] }),
  tableTimes('notion_event', {
    moves: ['received_at'],
    stays: ['occurred_at', 'processed_at'],
    where: '(workspace_id, page_id) in (select workspace_id, page_id from page_turn)',
  }),
];
