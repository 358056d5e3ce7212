import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { env } from './env';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a text with AES-256-GCM under the first key. `purpose` is authenticated, not stored: a value sealed
 * for one row cannot be opened as another.
 */
export function seal(plain: string, purpose: string): Uint8Array<ArrayBuffer> {
  const [key] = env().ENCRYPTION_KEYS;
  if (!key) throw new Error('No encryption key');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.from([VERSION]), keyId(key), iv, cipher.getAuthTag(), sealed]));
}

/** Opens what `seal` made with any of the configured keys. Throws when it was made for another purpose. */
export function open(bytes: Uint8Array, purpose: string): string {
  const buffer = Buffer.from(bytes);
  const ivAt = 1 + KEY_ID_BYTES;
  const tagAt = ivAt + IV_BYTES;
  const sealedAt = tagAt + TAG_BYTES;
  const id = buffer.subarray(1, ivAt);
  const key = env().ENCRYPTION_KEYS.find((candidate) => keyId(candidate).equals(id));
  if (buffer[0] !== VERSION || !key) throw new Error('Sealed with a key that is not configured');
  const decipher = createDecipheriv('aes-256-gcm', key, buffer.subarray(ivAt, tagAt));
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(buffer.subarray(tagAt, sealedAt));
  return Buffer.concat([decipher.update(buffer.subarray(sealedAt)), decipher.final()]).toString('utf8');
}

/** SHA-256 in hexadecimal, for values that are looked up but must not be stored. */
export function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** HMAC-SHA256 of a value, in hexadecimal, for what is recognised but must not be guessable from what is stored. */
export function keyedHash(key: string | Buffer, value: string, purpose: string): string {
  return createHmac('sha256', key).update(`${purpose}:${value}`).digest('hex');
}

/** A value as it was hashed under the keys that seal, each while it is configured. Only to recognise, not to store. */
export function earlierHashes(value: string, purpose: string): string[] {
  return env().ENCRYPTION_KEYS.map((key) => keyedHash(key, value, purpose));
}

/** 256 random bits, safe in URLs and cookies. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

const keyIds = new WeakMap<Buffer, Buffer>();

function keyId(key: Buffer): Buffer {
  const known = keyIds.get(key);
  if (known) return known;
  const id = createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES);
  keyIds.set(key, id);
  return id;
}
