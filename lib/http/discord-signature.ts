import { webcrypto } from 'node:crypto';
import { verifyKey } from 'discord-interactions';
import { env } from '@/lib/env';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

// Discord does not demand a time window; without one, a recorded call could be replayed forever.
const MAX_AGE_MS = 5 * MINUTE_MS;

/** Whether Discord signed exactly this text, within the last five minutes. */
export async function isSignedByDiscord(raw: string, headers: Headers): Promise<boolean> {
  const signature = headers.get('x-signature-ed25519');
  const timestamp = headers.get('x-signature-timestamp');
  if (!signature || !timestamp) return false;
  const ageMs = Date.now() - Number(timestamp) * SECOND_MS;
  if (!(Math.abs(ageMs) <= MAX_AGE_MS)) return false;
  const key = await importOnce(env().DISCORD_PUBLIC_KEY);
  return verifyKey(raw, signature, timestamp, key).catch(() => false);
}

let imported: { hex: string; key: Promise<CryptoKey> } | undefined;

function importOnce(hex: string): Promise<CryptoKey> {
  if (imported?.hex !== hex) {
    const bytes = Buffer.from(hex, 'hex');
    imported = { hex, key: webcrypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify']) };
  }
  return imported.key;
}
