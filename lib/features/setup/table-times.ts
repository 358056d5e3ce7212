import { tableTimes } from '@/lib/queue/table-times';

export const SETUP_TIMES = [tableTimes('oauth_state', { stays: ['expires_at'] })];
