import { keyedHash, open, randomToken, seal } from '@/lib/crypto';
import { db } from '@/lib/db/database';

const ID = 1;

export const hashKeyPurpose = (id: number | string) => `hash-key:${id}`;

// By its connection: a process that turns to another database needs that one's key.
const loaded = new WeakMap<object, Promise<string>>();

/** Hashes what is recognised again, such as `(80351110224678912, 'trial:person')`. Hexadecimal. */
export type KeyedHash = (value: string, purpose: string) => string;

/**
 * Hashes with a key of this installation's own. It outlives every rotation of the keys that seal it, so that what was
 * hashed is recognised for ever. To be called before a transaction: the first call of an installation makes the key.
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

// Of processes that start at the same time, the first one's key stays.
async function makeKey() {
  const data = [{ id: ID, sealedKey: seal(randomToken(), hashKeyPurpose(ID)) }];
  await db().hashKey.createMany({ data, skipDuplicates: true });
  return db().hashKey.findUniqueOrThrow({ where: { id: ID } });
}
