import { handleInteraction } from '@/lib/bot/handle-interaction';
import { isSignedByDiscord } from '@/lib/http/discord-signature';
import { signedRoute } from '@/lib/http/signed-route';

export const POST = signedRoute({
  door: 'interactions',
  signature: 'x-signature-ed25519',
  verify: isSignedByDiscord,
  handle: handleInteraction,
});
