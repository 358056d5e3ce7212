import { tableTimes } from '@/lib/queue/table-times';

export const TENANCY_TIMES = [tableTimes('audit_entry', { stays: ['at'] })];
