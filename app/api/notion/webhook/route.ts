import { showOfferedToken } from '@/lib/features/notifications/offered-token';
import { receiveNotionWebhook } from '@/lib/features/notifications/receive-webhook';
import { isSignedByNotion } from '@/lib/http/notion-signature';
import { signedRoute } from '@/lib/http/signed-route';

export const POST = signedRoute({
  signature: 'x-notion-signature',
  verify: isSignedByNotion,
  handle: receiveNotionWebhook,
  tolerate: showOfferedToken,
});
