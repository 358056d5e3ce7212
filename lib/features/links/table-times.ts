import { tableTimes } from '@/lib/queue/table-times';

export const LINK_TIMES = [
  tableTimes('account_link', { stays: ['linked_at'] }),
  tableTimes('link_request', { stays: ['created_at', 'declined_at'] }),
];
