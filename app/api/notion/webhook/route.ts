import { receiveNotionWebhook, showOfferedToken } from '@/lib/features/notifications/receive-webhook';
import { isSignedByNotion } from '@/lib/http/notion-signature';
import { signedRoute } from '@/lib/http/signed-route';

export const POST = signedRoute({
  verify: isSignedByNotion,
  handle: receiveNotionWebhook,
  tolerate: showOfferedToken,
});
