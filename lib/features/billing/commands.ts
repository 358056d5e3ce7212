import { StillUnderWay } from '@/lib/db/call-claim';
import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { AppError } from '@/lib/errors';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import { createPortal } from '@/lib/integrations/stripe/stripe-checkout';
import { isMissingAtStripe, isRefusedForGood, isStripeError } from '@/lib/integrations/stripe/stripe-client';
import { log } from '@/lib/log';
import { openCheckout } from './open-checkout';
import { enqueueSync } from './sync-subscription';

/**
 * Opens a checkout, or returns the one that is already open: all tabs of an account get the same session, which can be
 * paid once. Throws `rate_limited`, `conflict` while a subscription runs or while Stripe is still opening a session for
 * another tab, and `upstream_failed` when Stripe refuses or does not answer.
 */
export async function startCheckout({ id }: Account): Promise<{ url: string }> {
  await limitOutsideCalls(id);
  const url = await openCheckout(id).catch((error) => {
    if (!(error instanceof StillUnderWay)) return stripeProblem(error);
    throw new AppError('conflict', 'A checkout is being opened. Try again in a minute.');
  });
  if (url) return { url };
  await enqueueSync(db(), id);
  throw new AppError('conflict', 'This account already has a subscription. Use Manage Billing to change it.');
}

/** Opens the customer portal. Throws `rate_limited`, `conflict` before the first checkout, and `upstream_failed`. */
export async function openPortal(account: Account): Promise<{ url: string }> {
  const nothing = new AppError('conflict', 'There is no subscription to manage yet.');
  if (!account.stripeCustomerId) throw nothing;
  await limitOutsideCalls(account.id);
  const url = await createPortal(account.stripeCustomerId).catch((error) => {
    if (isMissingAtStripe(error)) throw nothing;
    return stripeProblem(error);
  });
  return { url };
}

/**
 * Enqueues a read of the subscription, for people who come back from the checkout before the webhook arrives. Throws
 * `rate_limited`.
 */
export async function refreshBilling(account: Account): Promise<{ requested: true }> {
  if (!account.stripeCustomerId) return { requested: true };
  await limitOutsideCalls(account.id);
  await enqueueSync(db(), account.id);
  return { requested: true };
}

function stripeProblem(error: unknown): never {
  if (!isStripeError(error)) throw error;
  log.warn({ err: error }, 'Stripe refused or did not answer');
  throw new AppError(
    'upstream_failed',
    isRefusedForGood(error)
      ? 'Stripe refused this, and trying again will not help. Write to our support.'
      : 'Stripe does not answer. Try again in a minute.',
  );
}
