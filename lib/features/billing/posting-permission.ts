import type { Account } from '@/lib/db/generated/client';
import type { KnownStatus } from '@/lib/integrations/stripe/stripe-subscriptions';
import { STARTER } from './plan';

/** The statuses of Stripe's subscriptions in the words of our contract; any other status is passed on. */
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

// Until a first payment has gone through, the trial still runs.
export const IN_TRIAL = ['trial', 'incomplete'];

const LIMIT = STARTER.notifications.toLocaleString('en-US');

/** A subscription that was cancelled has no next period, but another one would. */
export const OVER_QUOTA = `The ${LIMIT} notifications of this period are used. Posting resumes with the next paid period.`;

/** A trial is shorter than a period, so only a subscription starts another. */
export const TRIAL_USED = `The ${LIMIT} notifications of the trial are used. Posting resumes with a subscription.`;

export const TRIAL_USED_TOGETHER = `The ${LIMIT} notifications of the trial are used, together with another account that shares it. Posting resumes with a subscription.`;

/** Why nothing is posted for an account. */
export interface Stop {
  /** Whether the plan's notifications are used up, or the plan allows none now. */
  code: 'quota' | 'plan';
  /** A sentence for channels. */
  reason: string;
}

/** Whose period is counted: what tells our trial from a subscription. */
type Subscribed = Pick<Account, 'status' | 'paidPeriodStart'>;

/** Whether only our trial lets an account post, even if it is over: it has and had no subscription. */
export const hasOwnTrial = ({ status, paidPeriodStart }: Subscribed) =>
  IN_TRIAL.includes(status) && paidPeriodStart === null;

/**
 * What an account is stopped by when its period has no notification left; `isShared` if it shares its trial with
 * another.
 */
export function usedUp(account: Subscribed, isShared: boolean): Stop {
  if (isShared) return { code: 'quota', reason: TRIAL_USED_TOGETHER };
  return { code: 'quota', reason: hasOwnTrial(account) ? TRIAL_USED : OVER_QUOTA };
}

/** Why an account's period with this count has no notification left; null while it has one. */
export const whyUsedUp = (account: Subscribed, count: number, isShared: boolean): Stop | null =>
  count < STARTER.notifications ? null : usedUp(account, isShared);

/** Whether the trial that we give an account runs now. */
export const isOnTrial = (account: Subscribed & Pick<Account, 'trialEndsAt'>, now: Date) =>
  hasOwnTrial(account) && account.trialEndsAt > now;

/**
 * Whether the account's trial runs, ours or that of its subscription. Only Stripe ends the latter, and may charge for
 * the next period at once: until Stripe was read again, it goes on.
 */
export const isTrialRunning = ({ status, trialEndsAt, paidPeriodStart }: Permitted, now: Date) =>
  IN_TRIAL.includes(status) && (trialEndsAt > now || paidPeriodStart !== null);

/** When the account's trial ends or ended; null while only Stripe knows what has followed it. */
export const trialEndOf = (account: Permitted, now: Date): Date | null =>
  account.trialEndsAt <= now && isTrialRunning(account, now) ? null : account.trialEndsAt;

/** What decides whether an account may post, whatever it has used. */
export type Permitted = Subscribed & Pick<Account, 'trialEndsAt'>;

/** Why nothing may be posted for an account now; null while it may. */
export function whyStopped(account: Permitted, now: Date): Stop | null {
  const { status } = account;
  if (status === 'active' || isTrialRunning(account, now)) return null;
  return { code: 'plan', reason: reasonOf(status) };
}

function reasonOf(status: string): string {
  if (IN_TRIAL.includes(status)) return 'The trial has ended. Posting resumes with a subscription.';
  if (status === 'past_due') return 'A payment is overdue. Posting resumes once it is made.';
  if (status === 'paused') return 'The subscription is paused. Posting resumes once it continues.';
  return 'The subscription has ended. Posting resumes with a new one.';
}
