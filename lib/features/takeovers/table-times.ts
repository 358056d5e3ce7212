import { tableTimes } from '@/lib/queue/table-times';

export const TAKEOVER_TIMES = [tableTimes('server_takeover', { stays: ['since'] })];
