import { tableTimes } from '@/lib/queue/table-times';

// The calendar set when a digest is due, so it stays when the clock is set back.
const LINK_STAYS = ['linked_at', 'inbox_closed_at', 'digest_due_at'];

export const LINK_TIMES = [
  tableTimes('account_link', { moves: ['member_seen_at'], stays: LINK_STAYS }),
  tableTimes('link_request', { stays: ['created_at', 'declined_at'] }),
];
