import { receiveDiscordEvent } from '@/lib/features/servers/check-servers';
import { isSignedByDiscord } from '@/lib/http/discord-signature';
import { signedRoute } from '@/lib/http/signed-route';

export const POST = signedRoute({
  door: 'discord',
  signature: 'x-signature-ed25519',
  verify: isSignedByDiscord,
  handle: receiveDiscordEvent,
});
