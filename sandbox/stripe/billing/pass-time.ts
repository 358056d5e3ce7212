import { nextPeriodEnd } from '../billing-month';
import type { StoredSubscription } from '../stripe-state';
import type { StripeWorld } from '../stripe-world';
import { toSubscription } from '../to-api';
import { expireSession } from './complete-checkout';
import { addInvoice, charge } from './invoice';
import { cancelNow, isOver, payOpenInvoice } from './subscription-changes';

const DAY_SECONDS = 86_400;
const RETRY_AFTER = 3 * DAY_SECONDS;
const LAST_ATTEMPT = 4;
const ANNOUNCE_BEFORE = 3 * DAY_SECONDS;

/** Does everything that is due by the sandbox's clock, one step at a time. */
export function passTime(world: StripeWorld): void {
  const now = world.now();
  for (const session of Object.values(world.state.sessions)) {
    if (session.status === 'open' && session.expiresAt <= now) expireSession(world, session);
  }
  for (const subscription of Object.values(world.state.subscriptions)) {
    while (!isOver(subscription) && step(world, subscription, now));
  }
}

/** Does the next thing that is due for a subscription. Returns false if nothing is. */
function step(world: StripeWorld, subscription: StoredSubscription, now: number): boolean {
  const { trialEnd, cancelAt, periodEnd, retryAt } = subscription;
  if (subscription.status === 'trialing' && trialEnd && !subscription.trialEndAnnounced) {
    if (trialEnd - ANNOUNCE_BEFORE <= now) {
      subscription.trialEndAnnounced = true;
      world.emit('customer.subscription.trial_will_end', toSubscription(subscription));
      return true;
    }
  }
  if (cancelAt && cancelAt <= now) cancelNow(world, subscription);
  else if (retryAt && retryAt <= now) retry(world, subscription);
  else if (periodEnd <= now) renew(world, subscription);
  else return false;
  return true;
}

function renew(world: StripeWorld, subscription: StoredSubscription): void {
  subscription.periodStart = subscription.periodEnd;
  subscription.periodEnd = nextPeriodEnd(subscription.anchor, subscription.periodStart);
  // While an earlier period is unpaid, the next one is not charged.
  if (subscription.status !== 'past_due') {
    const isPaid = charge(world, addInvoice(world, subscription));
    subscription.status = isPaid ? 'active' : 'past_due';
    subscription.retryAt = isPaid ? null : subscription.periodStart + RETRY_AFTER;
  }
  world.emit('customer.subscription.updated', toSubscription(subscription));
}

function retry(world: StripeWorld, subscription: StoredSubscription): void {
  if (payOpenInvoice(world, subscription)) return;
  const attempts = world.state.invoices[subscription.latestInvoiceId]?.attempts ?? LAST_ATTEMPT;
  if (attempts >= LAST_ATTEMPT) cancelNow(world, subscription);
  else subscription.retryAt = (subscription.retryAt ?? world.now()) + RETRY_AFTER;
}
