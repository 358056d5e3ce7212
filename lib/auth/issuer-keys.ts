import { setTimeout as wait } from 'node:timers/promises';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { fetchKeys, KeysMissing } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';
import { MINUTE_MS, SECOND_MS, type TimeLeft, timeLeft } from '@/lib/time';

const KEYS_RENEWED_AFTER_MS = 10 * MINUTE_MS;

// How long an unknown key does not make us read the keys again, because anybody can name one.
const COOLDOWN_MS = SECOND_MS;

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

let keys: { uri: string; get: RemoteKeys; left: TimeLeft } | undefined;

/**
 * The claims of a token that one of the issuer's keys has signed. A token that names no key is tried with each that
 * fits. Throws an error of jose, or KeysMissing.
 */
export async function verifyToken(
  token: string,
  keysUri: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, issuerKeys(keysUri), options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const { payload } = await jwtVerify(token, key, options).catch(unlessOtherKey);
      if (payload) return payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function unlessOtherKey(error: unknown): { payload?: never } {
  if (error instanceof errors.JWSSignatureVerificationFailed) return {};
  throw error;
}

/**
 * The issuer's keys for checking tokens. Does not wait for a renewal: the current keys are used until it arrives. Only a
 * token with an unknown key waits until the keys have been read once more.
 */
function issuerKeys(uri: string): JWTVerifyGetKey {
  if (keys?.uri !== uri) {
    const get = createRemoteJWKSet(new URL(uri), {
      [customFetch]: fetchKeys,
      cacheMaxAge: Infinity,
      cooldownDuration: COOLDOWN_MS,
    });
    keys = { uri, get, left: timeLeft(KEYS_RENEWED_AFTER_MS) };
  } else if (keys.left() < 0) {
    keys.left = timeLeft(KEYS_RENEWED_AFTER_MS);
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
 * the key endpoint only as its generic error, and one that holds no keys as an invalid set.
 */
export function areKeysMissing(error: unknown): boolean {
  const isRefused = error instanceof errors.JOSEError && error.code === errors.JOSEError.code;
  return isRefused || error instanceof errors.JWKSInvalid || error instanceof KeysMissing;
}
