import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { StillUnderWay } from '@/lib/db/single-flight';
import { AppError } from '@/lib/errors';
import { createPortal } from '@/lib/integrations/stripe/stripe-checkout';
import { isMissingAtStripe, isStripeError } from '@/lib/integrations/stripe/stripe-client';
import { log } from '@/lib/log';
import { openCheckout } from './open-checkout';
import { enqueueSync } from './sync-subscription';

/**
 * Opens a checkout, or the one that is already open: all tabs of an account lead to one session, which can be
 * paid once. Throws `conflict` while a subscription runs or Stripe takes its time to open one for another tab, and
 * `upstream_failed` when Stripe does not answer.
 */
export async function startCheckout({ id }: Account): Promise<{ url: string }> {
  const url = await openCheckout(id).catch((error) => {
    if (!(error instanceof StillUnderWay)) return stripeProblem(error);
    throw new AppError('conflict', 'A checkout is being opened. Try again in a minute.');
  });
  if (url) return { url };
  await enqueueSync(db(), id);
  throw new AppError('conflict', 'This account already has a subscription. Use Manage Billing to change it.');
}

/** Opens the customer portal. Throws `conflict` before the first checkout, and `upstream_failed`. */
export async function openPortal(account: Account): Promise<{ url: string }> {
  const nothing = new AppError('conflict', 'There is no subscription to manage yet.');
  if (!account.stripeCustomerId) throw nothing;
  const url = await createPortal(account.stripeCustomerId).catch((error) => {
    if (isMissingAtStripe(error)) throw nothing;
    return stripeProblem(error);
  });
  return { url };
}

/** Asks for a re-read of the subscription, for those who come back from the checkout before the webhook. */
export async function refreshBilling(account: Account): Promise<{ requested: true }> {
  if (account.stripeCustomerId) await enqueueSync(db(), account.id);
  return { requested: true };
}

function stripeProblem(error: unknown): never {
  if (!isStripeError(error)) throw error;
  log.warn({ err: error }, 'Stripe refused or did not answer');
  throw new AppError('upstream_failed', 'Stripe does not answer. Try again in a minute.');
}
