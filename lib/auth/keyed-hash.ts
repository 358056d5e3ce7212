import { keyedHash, open, randomToken, seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';

const ID = 1;

export const hashKeyPurpose = (id: number | string) => `hash-key:${id}`;

// By database connection, because a process that switches to another database needs that one's key.
const loaded = new WeakMap<object, Promise<string>>();

/** Hashes a value that must be recognised again, such as `(80351110224678912, 'trial:person')`. Hexadecimal. */
export type KeyedHash = (value: string, purpose: string) => string;

/**
 * Loads the function that hashes with this installation's own key. That key outlives every rotation of the encryption
 * keys, so hashes stay recognisable forever. Call this before a transaction: the first call of an installation creates
 * the key.
 */
export async function loadKeyedHash(): Promise<KeyedHash> {
  const key = await hashKey();
  return (value, purpose) => keyedHash(key, value, purpose);
}

function hashKey(): Promise<string> {
  const client = db();
  const known = loaded.get(client);
  if (known) return known;
  const key = readKey().catch((error) => {
    loaded.delete(client);
    throw error;
  });
  loaded.set(client, key);
  return key;
}

async function readKey(): Promise<string> {
  const row = (await db().hashKey.findUnique({ where: { id: ID } })) ?? (await makeKey());
  return open(row.sealedKey, hashKeyPurpose(ID));
}

// If several processes start at once, the first one's key stays.
async function makeKey() {
  const data = [{ id: ID, sealedKey: seal(randomToken(), hashKeyPurpose(ID)) }];
  await db().hashKey.createMany({ data, skipDuplicates: true });
  return db().hashKey.findUniqueOrThrow({ where: { id: ID } });
}
