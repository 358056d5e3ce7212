import { receiveNotionWebhook } from '@/lib/features/webhooks/receive-webhook';
import { showOfferedToken } from '@/lib/features/webhooks/webhook-token-offer';
import { isSignedByNotion } from '@/lib/http/notion-signature';
import { signedRoute } from '@/lib/http/signed-route';

export const POST = signedRoute({
  door: 'notion',
  signature: 'x-notion-signature',
  verify: isSignedByNotion,
  handle: receiveNotionWebhook,
  tolerate: showOfferedToken,
});
