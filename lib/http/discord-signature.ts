import { verifyKey } from 'discord-interactions';
import { env } from '@/lib/env';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

// Discord asks for no window; without one, a recorded call could be sent again for ever.
const MAX_AGE_MS = 5 * MINUTE_MS;

/** Whether Discord signed exactly this text, within the last five minutes. */
export async function isSignedByDiscord(raw: string, headers: Headers): Promise<boolean> {
  const signature = headers.get('x-signature-ed25519');
  const timestamp = headers.get('x-signature-timestamp');
  if (!signature || !timestamp) return false;
  const ageMs = Date.now() - Number(timestamp) * SECOND_MS;
  if (!(Math.abs(ageMs) <= MAX_AGE_MS)) return false;
  return verifyKey(raw, signature, timestamp, env().DISCORD_PUBLIC_KEY).catch(() => false);
}
