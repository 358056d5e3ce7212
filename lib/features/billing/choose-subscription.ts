import type { StripeSubscription } from '@/lib/integrations/stripe/stripe-subscriptions';

/** Ordered from the status that serves the customer best to those of subscriptions that are over. */
const RANKS = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];
const CHARGED = ['active', 'trialing', 'past_due', 'unpaid'];

const rankOf = ({ status }: StripeSubscription) =>
  RANKS.includes(status) ? RANKS.indexOf(status) : RANKS.length;

/** Whether a subscription is or will be charged. */
export const isCharged = ({ status }: StripeSubscription) => CHARGED.includes(status);

interface Subscriber {
  /** The subscription that counted when Stripe was last read; null before the first. */
  stripeSubscriptionId: string | null;
}

// The known one still counts after the configured price changes.
const isOfPlan = (subscription: StripeSubscription, { stripeSubscriptionId }: Subscriber) =>
  subscription.isOfPlan || subscription.id === stripeSubscriptionId;

/** Whether the plan is being paid for, so that another subscription would be a duplicate. */
export const paysForPlan = (subscription: StripeSubscription, account: Subscriber) =>
  isOfPlan(subscription, account) && isCharged(subscription);

/** Whether a subscription has a period that its customer can use. */
export const isCurrent = (subscription: StripeSubscription) =>
  isCharged(subscription) || subscription.status === 'paused';

/** Whether the first payment of a subscription has gone through, even if the subscription is over. */
export const hasBegun = ({ status }: StripeSubscription) =>
  !['incomplete', 'incomplete_expired'].includes(status);

interface Choice {
  chosen: StripeSubscription | null;
  duplicates: StripeSubscription[];
  /** Whether one waits for its first payment while none is live. */
  isFirstPaymentOpen: boolean;
}

/**
 * The subscription to the plan that counts, and the account's other charged ones, which are duplicates. Of two with the
 * same status, the known one counts, otherwise the oldest; of those that are over, the newest. One that waits for its
 * first payment counts only if none has begun. Subscriptions to anything else, and those that never began, are ignored.
 */
export function chooseSubscription(all: StripeSubscription[], account: Subscriber & { id: string }): Choice {
  const isKnown = ({ id }: StripeSubscription) => Number(id === account.stripeSubscriptionId);
  const ofPlan = all.filter((each) => isOfPlan(each, account));
  const begun = ofPlan.filter(hasBegun).sort((a, b) => {
    const rank = rankOf(a);
    if (rank !== rankOf(b)) return rank - rankOf(b);
    return rank === RANKS.length ? byAge(b, a) : isKnown(b) - isKnown(a) || byAge(a, b);
  });
  const waiting = ofPlan.filter(({ status }) => status === 'incomplete').sort(byAge);
  const chosen = begun[0] ?? waiting[0] ?? null;
  const duplicates = all.filter(
    (each) => each !== chosen && paysForPlan(each, account) && each.accountId === account.id,
  );
  const isFirstPaymentOpen = waiting.length > 0 && !(chosen && isCurrent(chosen));
  return { chosen, duplicates, isFirstPaymentOpen };
}

function byAge(a: StripeSubscription, b: StripeSubscription): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);
}
