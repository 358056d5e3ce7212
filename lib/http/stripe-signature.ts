import Stripe from 'stripe';
import { env } from '@/lib/env';

const TOLERANCE_SECONDS = 300;

/**
 * Whether Stripe signed exactly this text with our secret, at most five minutes ago. A malformed signature counts as
 * none.
 */
export async function isSignedByStripe(raw: string, headers: Headers): Promise<boolean> {
  const { STRIPE_WEBHOOK_SECRET } = env();
  const header = headers.get('stripe-signature');
  if (!header) return false;
  try {
    const { signature } = Stripe.webhooks;
    return signature?.verifyHeader(raw, header, STRIPE_WEBHOOK_SECRET, TOLERANCE_SECONDS) === true;
  } catch {
    // Anybody can send any header, and not all that the package throws says that it does not match.
    return false;
  }
}
