import { receiveStripeWebhook } from '@/lib/features/billing/receive-webhook';
import { signedRoute } from '@/lib/http/signed-route';
import { isSignedByStripe } from '@/lib/http/stripe-signature';

export const POST = signedRoute({
  door: 'stripe',
  signature: 'stripe-signature',
  verify: isSignedByStripe,
  handle: receiveStripeWebhook,
});
