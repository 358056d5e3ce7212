import { tableTimes } from '@/lib/queue/table-times';

export const WEBHOOK_TIMES = [tableTimes('proven_webhook_token', { stays: ['proven_at'] })];
