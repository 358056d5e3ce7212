import { tableTimes } from '@/lib/queue/table-times';

export const WORKSPACE_TIMES = [
  tableTimes('notion_workspace', {
    moves: ['reconcile_at'],
    stays: ['connected_at', 'catalog_checked_at', 'catalog_asked_at', 'comments_checked_at'],
  }),
  // A database that seems to have been read in the future counts as read earlier.
  tableTimes('notion_database', { moves: ['checkpoint_at'], stays: ['schema_checked_at'] }),
];
