import Stripe from 'stripe';
import { env } from '@/lib/env';

const TOLERANCE_SECONDS = 300;

/** Whether Stripe signed exactly this text with our secret, at most five minutes ago. */
export async function isSignedByStripe(raw: string, headers: Headers): Promise<boolean> {
  const header = headers.get('stripe-signature');
  if (!header) return false;
  try {
    const { signature } = Stripe.webhooks;
    return signature?.verifyHeader(raw, header, env().STRIPE_WEBHOOK_SECRET, TOLERANCE_SECONDS) === true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}
