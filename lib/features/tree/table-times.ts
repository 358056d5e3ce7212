import { tableTimes } from '@/lib/queue/table-times';

// After the clock is set back, parents are kept for that much longer; moves are still reported.
export const TREE_TIMES = [tableTimes('notion_parent', { moves: ['forgotten_at'], stays: ['learnt_at'] })];
