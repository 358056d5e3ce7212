import { formatNumber } from '@/lib/client/format';

const MAX_PERCENT = 80;

export interface Usage {
  used: number;
  limit: number;
  /** The subscription's status. */
  status: string;
  trialEndsAt: string | null;
  periodEnd: string;
}

/**
 * Whether the trial is ours, which ends within a period and needs a subscription to go on. One that Stripe gave is the
 * first period of a subscription, which goes on by itself.
 */
export const isOwnTrial = ({
  status,
  trialEndsAt,
  periodEnd,
}: Pick<Usage, 'status' | 'trialEndsAt' | 'periodEnd'>) => status === 'trial' && trialEndsAt !== periodEnd;

/**
 * What is said when most or all of the period's notifications are used; null before. Where posting has stopped for
 * another reason, the count is all: no next period would bring it back.
 */
export function usageText(usage: Usage, now: Date): string | null {
  const { used, limit, status, trialEndsAt } = usage;
  if (limit <= 0 || used * 100 < limit * MAX_PERCENT) return null;
  const isRunning = trialEndsAt !== null && new Date(trialEndsAt) > now;
  // Until a first payment has gone through, the trial still runs.
  const isTrial = isOwnTrial(usage) || (status === 'incomplete' && isRunning);
  const isPosting = isTrial || status === 'trial' ? isRunning : status === 'active';
  const span = isTrial ? 'trial' : 'period';
  if (used >= limit) {
    const counted = `All ${formatNumber(limit)} notifications of this ${span} are used.`;
    return isPosting
      ? `${counted} Posting resumes with ${isTrial ? 'a subscription' : 'the next paid period'}.`
      : counted;
  }
  const counted = `${formatNumber(used)} of ${formatNumber(limit)} notifications of this ${span} are used.`;
  return isPosting
    ? `${counted} At the limit, posting stops until ${isTrial ? 'you subscribe' : 'the next paid period'}.`
    : counted;
}
