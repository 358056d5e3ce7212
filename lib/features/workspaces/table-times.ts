import { tableTimes } from '@/lib/queue/table-times';

export const WORKSPACE_TIMES = [
  // What seems to have been read in the future counts as read earlier.
  tableTimes('notion_workspace', {
    moves: ['reconcile_at'],
    stays: ['connected_at', 'catalog_checked_at', 'catalog_asked_at', 'comments_checked_at'],
  }),
  tableTimes('notion_database', { moves: ['checkpoint_at'], stays: ['schema_checked_at'] }),
];
