import { tableTimes } from '@/lib/queue/table-times';

// What seems to have been learnt in the future is believed for that much longer, and moves are still heard.
export const TREE_TIMES = [tableTimes('notion_parent', { stays: ['learnt_at'] })];
