import type { Account } from '@/lib/db/generated/client';
import type { KnownStatus } from '@/lib/integrations/stripe/stripe-subscriptions';
import { STARTER } from './plan';

/** What Stripe says of a subscription, in the words of our contract; any other word is passed on. */
export const STATUSES: Record<string, string> = {
  trialing: 'trial',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  canceled: 'canceled',
  incomplete_expired: 'canceled',
  incomplete: 'incomplete',
  paused: 'paused',
} satisfies Record<KnownStatus, string>;

export const toStatus = (stripeStatus: string) => STATUSES[stripeStatus] ?? stripeStatus;

// Before a first payment went through, the trial still runs.
export const IN_TRIAL = ['trial', 'incomplete'];

const LIMIT = STARTER.notifications.toLocaleString('en-US');

export const OVER_QUOTA = `The ${LIMIT} notifications of this period are used. Posting resumes with the next period.`;

export const TRIAL_USED_TOGETHER = `The ${LIMIT} notifications of the trial are used, together with another account that shares it. Posting resumes with a subscription.`;

/** Whether this is the reason that a plan's notifications are used up. */
export const isUsedUp = (reason: string) => reason === OVER_QUOTA || reason === TRIAL_USED_TOGETHER;

/** Why a period with this count has no place left, in a sentence; null while it has one. */
export function whyUsedUp(count: number, isShared: boolean): string | null {
  if (count < STARTER.notifications) return null;
  return isShared ? TRIAL_USED_TOGETHER : OVER_QUOTA;
}

/** Whether only our trial lets an account post, even if it is over: it has and had no subscription. */
export const hasOwnTrial = ({ status, paidPeriodStart }: Pick<Account, 'status' | 'paidPeriodStart'>) =>
  IN_TRIAL.includes(status) && paidPeriodStart === null;

/** Whether the trial that we give an account runs now. */
export const isOnTrial = (account: Pick<Account, 'status' | 'paidPeriodStart' | 'trialEndsAt'>, now: Date) =>
  hasOwnTrial(account) && account.trialEndsAt > now;

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
