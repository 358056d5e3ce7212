import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import type { SandboxContext } from '../context';
import type { Slice } from '../store';

interface IdentityKeys {
  signing: JWK;
  cookies: string[];
}

export interface IdentityState {
  /** Lifetime of the access tokens issued from now on. */
  accessTokenSeconds: number;
  /** What the claims say of e-mail addresses; absent means that they are verified, null that nothing is said. */
  emailVerified?: boolean | null;
  /** The provider's sessions, grants and tokens, by "Model:id". */
  records: Record<string, { payload: Record<string, unknown>; expiresAt: number | null }>;
}

const DAY_SECONDS = 86_400;

export function identityState(context: SandboxContext): Slice<IdentityState> {
  return context.store.slice<IdentityState>('identity', () => ({
    accessTokenSeconds: DAY_SECONDS,
    records: {},
  }));
}

/** The provider's own keys. A reset keeps them, so that running clients continue to trust it. */
export function identityKeys(context: SandboxContext): IdentityKeys {
  let kept: IdentityKeys | undefined;
  const slice = context.store.slice<IdentityKeys>('identity-keys', () => {
    kept ??= makeKeys();
    return kept;
  });
  kept = slice.value;
  slice.save();
  return kept;
}

// Making a key takes a quarter of a second, so all providers of this process share one, even in test files that load
// this module again.
const shared = globalThis as { identitySigningKey?: JWK };

function makeKeys(): IdentityKeys {
  shared.identitySigningKey ??= makeSigningKey();
  return { signing: shared.identitySigningKey, cookies: [randomBytes(32).toString('base64url')] };
}

function makeSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(8).toString('hex');
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), kid, alg: 'RS256', use: 'sig' };
}
