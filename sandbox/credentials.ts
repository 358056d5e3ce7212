import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { SandboxCredentials } from './context';
import type { Store } from './store';

interface Secrets {
  credentials: SandboxCredentials;
  nextAuthSecret: string;
  encryptionKey: string;
}

/** The secrets of this sandbox: generated once, kept in the store, and not changed by a reset. */
export function loadSecrets(store: Store): Secrets {
  let kept: Secrets | undefined;
  const slice = store.slice<Secrets>('secrets', () => {
    kept ??= makeSecrets();
    return kept;
  });
  kept = slice.value;
  slice.save();
  return kept;
}

function makeSecrets(): Secrets {
  const applicationId = '1193000000000000001';
  return {
    nextAuthSecret: secret(),
    encryptionKey: randomBytes(32).toString('base64'),
    credentials: {
      auth0: { clientId: secret(24), clientSecret: secret(48), audience: 'https://api.pagewire.example' },
      discord: {
        applicationId,
        clientSecret: secret(),
        botToken: `${Buffer.from(applicationId).toString('base64url')}.${secret(4)}.${secret(28)}`,
        ...makeSigningKeys(),
      },
      notion: {
        clientId: randomUUID(),
        clientSecret: `secret_${secret()}`,
        webhookToken: `secret_${secret()}`,
      },
      stripe: {
        secretKey: `sk_test_${secret()}`,
        webhookSecret: `whsec_${secret()}`,
        priceId: 'price_starter_monthly',
      },
    },
  };
}

/** Discord publishes the raw 32 bytes of its Ed25519 key as hex. */
function makeSigningKeys(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

function secret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
