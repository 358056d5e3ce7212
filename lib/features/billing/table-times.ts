import { tableTimes } from '@/lib/queue/table-times';

export const BILLING_TIMES = [
  tableTimes('stripe_event', { stays: ['received_at'] }),
  tableTimes('trial', { stays: ['ends_at', 'deleted_at'] }),
  tableTimes('usage_period', { stays: ['starts_at', 'ends_at', 'warned_most_at', 'warned_all_at'] }),
];
