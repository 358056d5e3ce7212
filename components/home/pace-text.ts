import { isOwnTrial } from '@/components/billing/usage-text';
import { formatNumber, formatShortDay, sentence } from '@/lib/client/format';
import type { Me } from '@/lib/features/account/schema';
import type { PlanPace } from './plan-pace';

/** How it goes on after the period: the count starts anew, a trial or a subscription ends, or none is left. */
type GoesOn = 'anew' | 'trial' | 'subscription_ends' | 'canceled';

type Subscription = Pick<Me['subscription'], 'status' | 'trial_ends_at' | 'periodEnd' | 'cancelsAt'>;

export function goesOnBy({ status, trial_ends_at: trialEndsAt, periodEnd, cancelsAt }: Subscription): GoesOn {
  if (status === 'canceled') return 'canceled';
  if (cancelsAt !== null && cancelsAt <= periodEnd) return 'subscription_ends';
  return isOwnTrial({ status, trialEndsAt, periodEnd }) ? 'trial' : 'anew';
}

/** How long the plan lasts at this pace, and what comes then. */
export function paceText(pace: PlanPace, end: Date, goesOn: GoesOn): string {
  const day = formatShortDay(end);
  const resumes = 'Posting resumes with a subscription.';
  const isEnding = goesOn === 'subscription_ends';
  const then = sentence(isEnding ? `The subscription ends on ${day}` : `The count starts anew on ${day}`);
  switch (pace.kind) {
    case 'used_up':
      // A trial ends before its count would start anew.
      return `All are used. ${goesOn === 'trial' || goesOn === 'canceled' ? resumes : then}`;
    case 'runs_out':
      return goesOn === 'canceled'
        ? resumes
        : `${sentence(`At this pace, the plan lasts until ${formatShortDay(pace.at)}`)} ${then}`;
    case 'lasts':
      if (goesOn === 'canceled') return resumes;
      return `At this pace, about ${formatNumber(pace.expected)} by ${day}, when ${isEnding ? 'the subscription ends' : 'the count starts anew'}.`;
    default:
      return goesOn === 'canceled' ? resumes : then;
  }
}
