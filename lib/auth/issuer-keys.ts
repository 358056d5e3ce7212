import { setTimeout as wait } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { fetchKeys, KeysMissing } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { MINUTE_MS, SECOND_MS } from '@/lib/time';

const KEYS_RENEWED_AFTER_MS = 10 * MINUTE_MS;

// How long an unknown key does not make us read the keys again, because anybody can name one.
const COOLDOWN_MS = SECOND_MS;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

let keys: { uri: string; get: RemoteKeys; askedAt: number } | undefined;

/**
 * The issuer's keys for checking tokens. Does not wait for a renewal: the current keys are used until it arrives. Only a
 * token with an unknown key waits until the keys have been read once more.
 */
export function issuerKeys(uri: string): JWTVerifyGetKey {
  if (keys?.uri !== uri) {
    const get = createRemoteJWKSet(new URL(uri), {
      [customFetch]: fetchKeys,
      cacheMaxAge: Infinity,
      cooldownDuration: COOLDOWN_MS,
    });
    keys = { uri, get, askedAt: Date.now() };
  } else if (Date.now() - keys.askedAt > KEYS_RENEWED_AFTER_MS) {
    keys.askedAt = Date.now();
    keys.get
      .reload()
      .catch((error) => log.warn({ err: error }, 'could not renew the keys of the sign-in service'));
  }
  return findIn(keys.get);
}

// A provider may sign with a new key at once.
const findIn =
  (get: RemoteKeys): JWTVerifyGetKey =>
  async (...token) => {
    try {
      return await get(...token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey && get.coolingDown)) throw error;
      await wait(COOLDOWN_MS);
      return get(...token);
    }
  };

/**
 * Whether a token can be neither accepted nor refused, because the keys are missing. jose reports an error response of
 * the key endpoint only as its generic error.
 */
export function areKeysMissing(error: unknown): boolean {
  const isRefused = error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
  return isRefused || error instanceof KeysMissing;
}
