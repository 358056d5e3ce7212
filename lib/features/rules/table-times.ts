import { tableTimes } from '@/lib/queue/table-times';

export const RULE_TIMES = [tableTimes('rule', { stays: ['created_at'] })];
