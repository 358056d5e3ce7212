import { tableTimes } from '@/lib/queue/table-times';

/** Leases stay: whoever has one ends it, and those of the dead are freed. */
export const LINE_TIMES = [
  tableTimes('page_turn', { moves: ['due_at'], stays: ['leased_until'] }),
  tableTimes('channel_turn', { moves: ['due_at'], stays: ['leased_until'] }),
  tableTimes('send_slot', { moves: ['free_at'] }),
  tableTimes('rate_limit', { moves: ['blocked_until'] }),
  tableTimes('invalid_answer', { stays: ['minute'] }),
  tableTimes('delivery', {
    moves: ['next_try_at', 'tried_at', 'created_at'],
    stays: ['event_at', 'usage_period_start', 'finished_at'],
    where: `state in ('waiting', 'settling')`,
  }),
  tableTimes('notion_event', {
    moves: ['received_at'],
    stays: ['occurred_at', 'processed_at'],
    where: '(workspace_id, page_id) in (select workspace_id, page_id from page_turn)',
  }),
  tableTimes('page_snapshot', { stays: ['updated_at'] }),
  tableTimes('channel_problem', { stays: ['since', 'began_at', 'told_at'] }),
  tableTimes('held_notice', { moves: ['tried_at'], stays: ['posted_at', 'up_to'] }),
  tableTimes('proven_webhook_token', { stays: ['proven_at'] }),
];

export const TURN_TABLES = { pages: 'page_turn', channels: 'channel_turn' };
