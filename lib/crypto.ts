import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { env } from './env';
import { AppError } from './errors';
import { log } from './log';
import { shareErrorClass } from './process-state';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const RETRY_AFTER_SECONDS = 5;

/**
 * Seals a text with AES-256-GCM under the first key. `purpose` is authenticated, not stored: a value sealed for one row
 * cannot be opened as another.
 */
export function seal(plain: string, purpose: string): Uint8Array<ArrayBuffer> {
  const [key] = env().ENCRYPTION_KEYS;
  if (!key) throw new Error('No encryption key');
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([Buffer.from([VERSION]), keyId(key), iv, cipher.getAuthTag(), sealed]));
}

/**
 * A value was sealed with a key that this process does not have. Another process may have it, or this one may get it
 * later, so work that needs the value waits.
 */
export class UnknownKeyError extends AppError {
  constructor() {
    super('unavailable', 'Pagewire is changing its encryption keys. Try again in a minute.', {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
    this.name = 'UnknownKeyError';
  }
}
shareErrorClass(UnknownKeyError, 'UnknownKeyError');

/**
 * Opens what `seal` made with any of the configured keys. Throws UnknownKeyError for a value sealed with another key,
 * and another error for one that is damaged or was sealed for another purpose.
 */
export function open(bytes: Uint8Array, purpose: string, keys: Buffer[] = env().ENCRYPTION_KEYS): string {
  const buffer = Buffer.from(bytes);
  const ivAt = 1 + KEY_ID_BYTES;
  const tagAt = ivAt + IV_BYTES;
  const sealedAt = tagAt + TAG_BYTES;
  if (buffer[0] !== VERSION || buffer.length < sealedAt) throw new Error('Not a sealed value');
  const key = findKey(keys, buffer);
  if (!key) throw unknownKey(buffer.subarray(1, ivAt).toString('hex'));
  const decipher = createDecipheriv('aes-256-gcm', key, buffer.subarray(ivAt, tagAt));
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(buffer.subarray(tagAt, sealedAt));
  return Buffer.concat([decipher.update(buffer.subarray(sealedAt)), decipher.final()]).toString('utf8');
}

/**
 * Opens a value that was sealed for a purpose, or for the former purpose of such values. A value sealed for the new
 * purpose never opens for the former one.
 */
export function openFormer(
  bytes: Uint8Array,
  purpose: string,
  formerPurpose: string,
  keys: Buffer[] = env().ENCRYPTION_KEYS,
): string {
  try {
    return open(bytes, purpose, keys);
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return open(bytes, formerPurpose, keys);
  }
}

/**
 * Whether a value was sealed with a key that this process has. True for damaged values too, because waiting would not
 * help them.
 */
export function isKeyKnown(bytes: Uint8Array): boolean {
  return bytes[0] !== VERSION || findKey(env().ENCRYPTION_KEYS, Buffer.from(bytes)) !== undefined;
}

/** The first bytes of values sealed with each configured key, in order: version and key id. */
export function sealHeads(): Buffer[] {
  return env().ENCRYPTION_KEYS.map((key) => Buffer.concat([Buffer.from([VERSION]), keyId(key)]));
}

/** SHA-256 in hexadecimal, for values that are looked up but must not be stored. */
export function hash(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** HMAC-SHA256 in hexadecimal, for values that must be recognised but not guessable from what is stored. */
export function keyedHash(key: string | Buffer, value: string, purpose: string): string {
  return createHmac('sha256', key).update(`${purpose}:${value}`).digest('hex');
}

/**
 * A value's hashes under each configured encryption key, as they were stored by earlier versions. Use them only to
 * recognise a value, never to store it.
 */
export function earlierHashes(value: string, purpose: string): string[] {
  return env().ENCRYPTION_KEYS.map((key) => keyedHash(key, value, purpose));
}

/** 256 random bits, safe in URLs and cookies. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

function findKey(keys: Buffer[], sealed: Buffer): Buffer | undefined {
  const id = sealed.subarray(1, 1 + KEY_ID_BYTES);
  return keys.find((candidate) => keyId(candidate).equals(id));
}

const reported = new Set<string>();

function unknownKey(id: string): UnknownKeyError {
  if (!reported.has(id)) log.error({ keyId: id }, 'ENCRYPTION_KEYS lacks the key of a sealed value');
  reported.add(id);
  return new UnknownKeyError();
}

const keyIds = new WeakMap<Buffer, Buffer>();

/** The id of a key in the values that it has sealed. It reveals nothing about the key. */
export function keyId(key: Buffer): Buffer {
  const known = keyIds.get(key);
  if (known) return known;
  const id = createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES);
  keyIds.set(key, id);
  return id;
}
