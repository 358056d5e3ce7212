import type { Account } from '@/lib/db/generated/client';
import { STARTER } from './plan';

// What Stripe says of a subscription, in the words of our contract; any other word is passed on.
const STATUSES: Record<string, string> = {
  trialing: 'trial',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
};

export const toStatus = (stripeStatus: string) => STATUSES[stripeStatus] ?? stripeStatus;

// Before a first payment went through, the trial still runs.
export const IN_TRIAL = ['trial', 'incomplete'];

export const OVER_QUOTA = `The ${STARTER.notifications.toLocaleString('en-US')} notifications of this period are used. Posting resumes with the next period.`;

/** Whether an account lives by the trial that we give, be it over: it has no subscription that runs or ran. */
export const hasOwnTrial = ({ status, paidPeriodStart }: Pick<Account, 'status' | 'paidPeriodStart'>) =>
  IN_TRIAL.includes(status) && paidPeriodStart === null;

/** Why nothing may be posted for an account now, in a sentence for its channels; null while it may. */
export function whyStopped(account: Pick<Account, 'status' | 'trialEndsAt'>, now: Date): string | null {
  const { status, trialEndsAt } = account;
  if (status === 'active') return null;
  if (IN_TRIAL.includes(status)) {
    return trialEndsAt > now ? null : 'The trial has ended. Posting resumes with a subscription.';
  }
  if (status === 'past_due') return 'A payment is overdue. Posting resumes once it is made.';
  return 'The subscription has ended. Posting resumes with a new one.';
}
