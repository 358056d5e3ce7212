import { tableTimes } from '@/lib/queue/table-times';

export const ACCOUNT_TIMES = [
  tableTimes('account', {
    stays: [
      'created_at',
      'first_task_at',
      'trial_ends_at',
      'trial_end_told_at',
      'paid_period_start',
      'paid_period_end',
      'cancels_at',
    ],
  }),
  tableTimes('auth_session', { stays: ['access_token_expires_at', 'created_at'] }),
  // Otherwise, after a step of an hour, a minute's budget and the claim of a dead process would last an hour longer.
  tableTimes('call_count', { moves: ['ends_at'] }),
  tableTimes('call_claim', { moves: ['ends_at'] }),
];
